import Cryptography
import Fixtures
import HTTP
import Issuance
import JSON
import Licensing
import PKIX
import Postgres
import Store
import Synchronization
import Testing

@testable import API

/// A clock that a test sets.
final class HandClock: Sendable {
  private let seconds = Atomic(TestClock.now)

  @Sendable func now() -> Int64 { seconds.load(ordering: .relaxed) }
  func advance(_ by: Int64) { seconds.add(by, ordering: .relaxed) }
}

/// A managed authority of a world, what it issued, and the files that `openssl` wants.
struct Signatory {
  let world: World
  let authority: Authority
  let identity: Identifier
  let folder: TemporaryFolder
  let anchor: String
  let publisher: RevocationPublisher

  static func with(clock: HandClock = HandClock(), _ body: (Signatory) async throws -> Void) async throws {
    try await World.with(clock: clock.now) { world in
      try await body(try await Signatory(in: world, clock: clock))
    }
  }

  private init(in world: World, clock: HandClock) async throws {
    self.world = world
    let path = try await world.organization()
    let made = try await world.call("POST", "\(path)/authorities", #"{"kind":"managed"}"#).expect(201)
    let id = try #require(Identifier(made["id"]))
    authority = try await world.services.units.read { unit in
      let organization = try #require(try await unit.organization(.example, locked: false))
      return try #require(try await unit.authority(id, of: organization.record.key, locked: false))
    }
    let person = try await world.call("POST", "\(path)/identities", #"{"name":"laptop"}"#).expect(201)
    identity = try #require(Identifier(person["id"]))
    folder = try TemporaryFolder()
    anchor = try folder.write(made["certificate"], to: "ca.pem")
    let key = try #require(SealingKey(bytes: [UInt8](repeating: 7, count: 32)))
    publisher = RevocationPublisher(
      store: StoreRevocation(world.client), keys: AuthorityKeys(sealing: SealingKeyRing(key)),
      clock: clock.now)
  }

  var path: String { "/v1/authorities/\(authority.record.id)" }

  /// Stores a certificate of this serial number, as if the authority had issued it.
  func issue(_ serial: String, notAfter: Int64 = 4_000_000_000) async throws {
    let digest = try SHA256Digest(hashing: Array(serial.utf8)).bytes
    let facts = CertificateFacts(
      der: [1], serialNumber: serial, fingerprint: digest, spki: digest, notBefore: Instant(seconds: 0),
      notAfter: Instant(seconds: notAfter))
    let (authority, identity) = (authority, identity)
    try await world.services.units.transact { unit in
      let holder = try #require(
        try await unit.identity(.id(identity), of: authority.organization, locked: false))
      _ = try await unit.insert(facts, authority: authority, identity: holder.record.key, origin: nil)
    }
  }

  func revoke(_ serial: String, _ reason: String = "keyCompromise") async throws {
    try await world.call(
      "POST", "/v1/organizations/acme/certificates/\(serial)/revoke", #"{"reason":"\#(reason)"}"#
    ).expect(200)
  }

  /// A call of the public surface.
  func get(
    _ target: String, method: String = "GET", headers: [HeaderField] = [], body: [UInt8] = []
  ) async throws -> Answer {
    let application = try Application<Visitor>(surfaces: [.public], services: world.services) { visitor, _ in
      visitor.caller
    }
    let request = try Request(method, target, headers: headers, body: body)
    return Answer(await application.respond(to: request, from: nil))
  }

  /// The list as `openssl crl` reads it, which checks its signature.
  func list() async throws -> String {
    let answer = try await get(path + "/crl").expect(200)
    let checked = try OpenSSLTool.attempt(
      ["crl", "-inform", "DER", "-CAfile", anchor, "-verify", "-noout", "-text"], input: answer.response.body)
    #expect(checked.errors.contains("verify OK"), "\(checked.errors)")
    return String(decoding: checked.output, as: UTF8.self)
  }

  /// Lets two seconds go by for the list, in which no other is made.
  func age() async throws {
    try await world.client.session {
      try await $0.simple("UPDATE revocation_list SET created_at = created_at - interval '3 seconds'")
    }
  }

  /// A round after the last list has settled.
  @discardableResult
  func publish() async throws -> RevocationPublisher.Round {
    try await age()
    let round = try await publisher.publish()
    #expect(round.failures.isEmpty, "\(round.failures)")
    return round
  }
}
