import Cryptography
import Fixtures
import HTTP
import Issuance
import JSON
import Licensing
import PKIX
import Store
import Testing

@testable import API

extension OverTheDatabase {
  /// Lists of organizations' own CAs, uploaded.
  @Suite struct ExternalListTests {
    @Test func `a list revokes what was seen and what is seen later, and a later one takes a hold back`()
      async throws
    {
      try await Registered.with { own in
        let (held, later, other) = (
          try own.root.leaf("held"), try own.root.leaf("later"), try own.root.leaf("other")
        )
        try await own.see(held)
        try await own.see(other)
        var list = TestRevocationList(revoking: held.certificate, later.certificate, reason: .certificateHold)
        let answer = try await own.upload(list).expect(200)
        #expect(answer["number"] == "01" && answer.json["entries"] == .integer(2))
        #expect(try await own.status(held) == .revoked)
        #expect(try await own.status(other) == .active)
        try await own.see(later)
        #expect(try await own.status(later) == .revoked)
        #expect(own.world.settled.value > 0)
        #expect(try await own.world.events().contains("crl.uploaded"))

        list = TestRevocationList(revoking: later.certificate)
        list.number = [2]
        try await own.upload(list).expect(200)
        #expect(try await own.status(held) == .active)
        #expect(try await own.status(later) == .revoked)
      }
    }

    @Test func `each CA of an authority speaks for what it signed alone`() async throws {
      try await Registered.with { own in
        let leaf = try own.intermediate.leaf("leaf") { $0.serialNumber = [0x41] }
        try await own.see(leaf)
        var list = TestRevocationList()
        list.entries = [.init(serialNumber: SerialNumber(bytes: [0x41]), revokedAt: TestClock.now - 60)]
        try await own.upload(list).expect(200)
        #expect(try await own.status(leaf) == .active, "the root never signed it")
        try await own.upload(list, by: own.intermediate).expect(200)
        #expect(try await own.status(leaf) == .revoked)
      }
    }

    @Test func `what is no newer, complete list of one of the authority's CAs is refused, and says why`()
      async throws
    {
      try await Registered.with { own in
        func refused(
          _ words: String, by authority: TestAuthority? = nil, _ change: (inout TestRevocationList) -> Void
        )
          async throws
        {
          var list = TestRevocationList()
          list.number = [9]
          change(&list)
          let answer = try await own.upload(list, by: authority)
          #expect(answer.status == 422 && answer.code == "crl-invalid", "\(answer.text)")
          #expect(answer["detail"].contains(words), "\(answer["detail"])")
        }
        var first = TestRevocationList()
        first.number = [5]
        try await own.upload(first).expect(200)
        try await refused("must be greater") { $0.number = [5] }
        try await refused("must be greater") { $0.number = [4] }
        try await refused("is no certificate of this authority", by: TestAuthority.root("Somebody")) { _ in }
        try await refused("does not verify", by: TestAuthority.root("Own Root")) { _ in }
        try await refused("lies in the future") {
          $0.thisUpdate = TestClock.now + 3600
          $0.nextUpdate = TestClock.now + 7200
        }
        for (identifier, words) in [("2.5.29.27", "delta"), ("2.5.29.28", "only some")] {
          try await refused(words) {
            $0.additionalExtensions = [
              CertificateExtension(
                ObjectIdentifier(identifier), isCritical: true,
                contents: identifier == "2.5.29.27" ? DER.integer(1) : DER.sequence(DER.implicit(1, [0xff])))
            ]
          }
        }
        try await refused("number") { $0.number = [] }
        let stranger = try own.root.intermediate("Unknown Intermediate")
        try await refused("is no certificate of this authority", by: stranger) { _ in }
        #expect(try await own.put([1, 2, 3]).code == "crl-invalid")
        #expect(try await own.put([]).code == "crl-invalid")
      }
    }

    @Test func `PEM will do, and an authority of ours takes none`() async throws {
      try await Registered.with { own in
        let der = try TestRevocationList().signed(by: own.root)
        try await own.put(Array(PEM.encode(der, label: "X509 CRL").utf8)).expect(200)
        let managed = try await own.world.call(
          "POST", "\(own.organization)/authorities", #"{"kind":"managed"}"#)
        let answer = try await own.put(der, to: managed["id"])
        #expect(answer.status == 422 && answer["detail"].contains("is made here"))
      }
    }

    @Test
    func `a list past its end keeps what it revoked, and the authority says so until a newer one comes`()
      async throws
    {
      let clock = HandClock()
      try await Registered.with(clock: clock) { own in
        let leaf = try own.root.leaf("leaf")
        try await own.see(leaf)
        var list = TestRevocationList(revoking: leaf.certificate)
        try await own.upload(list).expect(200)
        let store = StoreRevocation(own.world.client)
        #expect(try await store.warnOfStaleLists(at: Instant(seconds: clock.now())).isEmpty)
        clock.advance(7200)
        #expect(try await store.warnOfStaleLists(at: Instant(seconds: clock.now())).count == 1)
        #expect(try await store.warnOfStaleLists(at: Instant(seconds: clock.now())).isEmpty, "it is no news")
        #expect(try await own.status(leaf) == .revoked)
        #expect(try await own.world.call("GET", own.path).text.contains("past its nextUpdate"))
        list.number = [2]
        list.nextUpdate = clock.now() + 3600
        try await own.upload(list).expect(200)
        #expect(try await !own.world.call("GET", own.path).text.contains("past its nextUpdate"))
      }
    }

    @Test func `a hundred thousand entries are one upload`() async throws {
      try await Registered.with { own in
        let leaf = try own.root.leaf("leaf")
        try await own.see(leaf)
        var list = TestRevocationList(revoking: leaf.certificate)
        list.entries += (0..<100_000).map { number in
          let bytes = [0x50] + (0..<3).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
          return .init(
            serialNumber: SerialNumber(bytes: bytes), revokedAt: TestClock.now - 60, reason: .superseded)
        }
        let answer = try await own.upload(list).expect(200)
        #expect(answer.json["entries"] == .integer(100_001))
        #expect(try await own.status(leaf) == .revoked)
      }
    }
  }
}

/// An organization's own root with one intermediate, registered.
private struct Registered {
  let world: World
  let organization: String
  let root: TestAuthority
  let intermediate: TestAuthority
  let id: String
  let identity: Identifier

  var path: String { "\(organization)/authorities/\(id)" }

  static func with(clock: HandClock = HandClock(), _ body: (Registered) async throws -> Void) async throws {
    try await World.with(clock: clock.now) { try await body(Registered(in: $0)) }
  }

  private init(in world: World) async throws {
    self.world = world
    organization = try await world.organization()
    root = try TestAuthority.root("Own Root")
    intermediate = try root.intermediate("Own Intermediate")
    var writer = JSONWriter()
    writer.object { [root, intermediate] writer in
      writer.member("kind", "external")
      writer.member("certificate", root.certificate.pem)
      writer.member("intermediates", [intermediate.certificate.pem])
      writer.member("trusted", true)
    }
    let body = String(decoding: writer.bytes, as: UTF8.self)
    id = try await world.call("POST", "\(organization)/authorities", body).expect(201)["id"]
    let person = try await world.call("POST", "\(organization)/identities", #"{"name":"laptop"}"#).expect(201)
    identity = try #require(Identifier(person["id"]))
  }

  /// Stores a certificate as the first request of its device does.
  func see(_ device: TestIdentity) async throws {
    let facts = try CertificateFacts(device.certificate)
    let (id, identity) = (try #require(Identifier(id)), identity)
    try await world.services.units.transact { unit in
      let owner = try #require(try await unit.organization(.example, locked: false)).record.key
      let authority = try #require(try await unit.authority(id, of: owner, locked: false))
      let holder = try #require(try await unit.identity(.id(identity), of: owner, locked: false))
      _ = try await unit.insert([(facts, holder.record.key)], authority: authority)
    }
  }

  func status(_ device: TestIdentity) async throws -> CertificateRecord.Status? {
    let fingerprint = device.certificate.fingerprint.bytes
    return try await world.services.units.read { unit in
      let owner = try #require(try await unit.organization(.example, locked: false)).record.key
      return try await unit.certificates(.fingerprint(fingerprint), of: owner, locked: false).first?.status
    }
  }

  func upload(_ list: TestRevocationList, by authority: TestAuthority? = nil) async throws -> Answer {
    try await put(list.signed(by: authority ?? root))
  }

  func put(_ body: [UInt8], to authority: String? = nil) async throws -> Answer {
    let request = try Request(
      "PUT", "\(organization)/authorities/\(authority ?? id)/crl",
      headers: [
        HeaderField(.authorization, "Bearer \(world.operatorToken)"),
        HeaderField(.contentType, "application/pkix-crl"),
      ], body: body)
    return Answer(await world.admin.respond(to: request, from: nil))
  }
}
