import Fixtures
import Issuance
import Licensing
import PKIX
import Postgres
import Reactor
import Testing

@testable import Directory
@testable import Store

/// Devices that a server has not seen before, many at once.
@Suite struct RecognitionTests {
  @Test func `newcomers are written together, and each is told its own`() async throws {
    try await TestStore.withStore { store in
      let earlier = try await Club(in: store)
      let taken = IdentityName("urn:device:taken")!
      _ = try await store.units.transact { unit in
        try await unit.insert(
          NewIdentity(record: TestStore.newRecord(), organization: earlier.organization, name: taken))
      }
      let lost = try earlier.device("lost")
      try await earlier.delete(earlier.peer(lost))
      let club = try await earlier.restarted()
      let before = try await store.ask("SELECT count(*)::text FROM event WHERE type = 'identity.provisioned'")
      #expect(before == "1")

      let peers = try (1...40).map { try club.peer("\($0)") }
      let twin = try club.peer("7")
      let (nameless, blocked) = (try club.peer(nil), try club.peer("taken"))
      let crowd = peers + [twin, nameless, blocked, try club.peer(lost)]
      let refusals = try await store.client.session { session in
        // Whoever is first cannot write, and the others come meanwhile.
        try await session.simple("BEGIN; LOCK TABLE identity IN SHARE MODE")
        return try await withThrowingTaskGroup(of: (Int, PeerRefusal?).self) { group in
          func come(_ place: Int) {
            group.addTask { (place, try await club.refusal(of: crowd[place])) }
          }
          come(0)
          while try await store.waitingForLocks == "0" {}
          for place in 1..<crowd.count { come(place) }
          while club.recognizer.waitingCount < crowd.count - 1 { await Task.yield() }
          try await session.simple("COMMIT")
          return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
      }
      #expect(refusals == [41: .identityUnknown, 43: .identityDeleted])
      for (number, peer) in zip(1..., peers) {
        #expect(peer.recognized?.identity.name.description == "urn:device:\(number)")
      }
      #expect(twin.recognized?.identity === peers[6].recognized?.identity)
      #expect(twin.recognized?.certificate != peers[6].recognized?.certificate)
      #expect(blocked.recognized?.identity.name.description.hasPrefix("x-") == true)
      let written = try await store.ask(
        """
        SELECT format('%s identities in %s transactions', count(*), count(DISTINCT xmin::text)) FROM identity
        WHERE external_field IS NOT NULL AND status = 1
        """)
      #expect(written == "41 identities in 2 transactions")
      let told = try await store.ask("SELECT count(*)::text FROM event WHERE type = 'identity.provisioned'")
      #expect(told == "42")
    }
  }

  @Test func `a crowd of one organization keeps nobody else waiting`() async throws {
    try await TestStore.withStore { store in
      let club = try await Club(in: store)
      let other = try await Club(in: store, "other")
      let peers = try (1...30).map { try club.peer("\($0)") }
      try await store.client.session { session in
        try await session.simple(
          """
          BEGIN;
          SELECT pg_advisory_xact_lock(hashtextextended('external lists', \(club.authority.rawValue)))
          """)
        try await withThrowingTaskGroup(of: PeerRefusal?.self) { group in
          for peer in peers { group.addTask { try await club.refusal(of: peer) } }
          while try await store.waitingForLocks == "0" {}
          let stranger = try other.peer("1")
          #expect(try await other.refusal(of: stranger) == nil && stranger.recognized != nil)
          #expect(try await store.waitingForLocks == "1")
          try await session.simple("COMMIT")
          for try await refusal in group { #expect(refusal == nil) }
        }
      }
      #expect(peers.allSatisfy { $0.recognized != nil })
    }
  }

  @Test func `devices that come back after a server's start are found as they were`() async throws {
    try await TestStore.withStore { store in
      let club = try await Club(in: store)
      let devices = try (1...20).map { try club.device("\($0)") }
      func come() async throws -> [Key<CertificateRecord>?] {
        let server = try await club.restarted()
        let peers = try devices.map { try server.peer($0) }
        try await withThrowingTaskGroup { group in
          for peer in peers {
            group.addTask { try await server.recognizer.recognize(peer, at: TestClock.now) }
          }
          try await group.waitForAll()
        }
        return peers.map { $0.recognized?.certificate }
      }
      let first = try await come()
      #expect(Set(first.compactMap(\.self)).count == 20)
      let state = try await store.ask("SELECT max(xmin::text::bigint)::text FROM certificate")
      #expect(try await come() == first)
      #expect(try await store.ask("SELECT max(xmin::text::bigint)::text FROM certificate") == state)
    }
  }

  @Test func `a handshake only reads`() async throws {
    try await TestStore.withStore { store in
      let club = try await Club(in: store)
      let (known, unseen) = (try club.device("known"), try club.device("known"))
      try await club.recognizer.recognize(try club.peer(known), at: TestClock.now)
      let rows = "SELECT format('%s %s', count(*), (SELECT count(*) FROM identity)) FROM certificate"
      let before = try await store.ask(rows)
      let server = try await club.restarted()
      func refusal(of peer: DevicePeer) async -> PeerRefusal? {
        await server.recognizer.refusal(of: peer, at: TestClock.now)
      }
      let (member, other) = (try server.peer(known), try server.peer(unseen))
      let (newcomer, nameless) = (try server.peer("new"), try server.peer(nil))
      #expect(await refusal(of: member) == nil && member.recognized != nil)
      #expect(await refusal(of: other) == nil && other.recognized == nil)
      #expect(await refusal(of: newcomer) == nil && newcomer.recognized == nil)
      #expect(await refusal(of: nameless) == .identityUnknown)
      #expect(try await store.ask(rows) == before)
      for peer in [other, newcomer] {
        try await server.recognizer.recognize(peer, at: TestClock.now)
        #expect(peer.recognized != nil)
      }
    }
  }
}

extension TestStore {
  /// How many wait for a lock in this database.
  fileprivate var waitingForLocks: String? {
    get async throws {
      try await ask(
        """
        SELECT count(*)::text FROM pg_locks l JOIN pg_database d ON d.oid = l.database
        WHERE NOT l.granted AND d.datname = current_database()
        """)
    }
  }
}

/// An organization whose own CA names its devices, and a server that they come to.
private struct Club: Sendable {
  let store: TestStore
  let root: TestAuthority
  let organization: Key<Organization>
  let authority: Key<Authority>
  let directory = TrustDirectory()
  let recognizer: Recognizer
  private static let loops = try! EventLoopGroup(count: 2, name: "devices").loops

  init(in store: TestStore, _ slug: String = "acme") async throws {
    let root = try TestAuthority.root()
    let anchor = try AnchorFacts(root.certificate)
    let (organization, authority) = try await store.units.transact { unit in
      let organization = try await unit.insert(
        NewOrganization(record: TestStore.newRecord(), slug: Slug(slug)!, name: slug))
      var new = NewAuthority(
        record: TestStore.newRecord(), organization: organization.record.key, kind: .external, status: .active
      )
      new.certificate = anchor
      new.mapping = [MappingRule(field: .sanURI)]
      new.autoProvision = true
      return (organization.record.key, try await unit.insert(new).record.key)
    }
    try await self.init(store, root, organization, authority)
  }

  private init(
    _ store: TestStore, _ root: TestAuthority, _ organization: Key<Organization>, _ authority: Key<Authority>
  ) async throws {
    (self.store, self.root, self.organization, self.authority) = (store, root, organization, authority)
    recognizer = Recognizer(
      directory: directory, trust: store.trust, units: store.units, on: Self.loops,
      makeID: { TestStore.newRecord().id })
    directory.replace(with: try await store.trust.snapshot())
  }

  /// Another server, which has seen nobody.
  func restarted() async throws -> Club { try await Club(store, root, organization, authority) }

  func device(_ name: String?) throws -> Certificate {
    try root.leaf { $0.names = name.map { [.uri(Array("urn:device:\($0)".utf8))] } ?? [] }.certificate
  }

  func peer(_ name: String?) throws -> DevicePeer { try peer(device(name)) }

  func peer(_ device: Certificate) throws -> DevicePeer {
    try DeviceVerifier(directory: directory, clock: { TestClock.now }).peer(
      of: device, presented: [], under: nil)
  }

  func refusal(of peer: DevicePeer) async throws -> PeerRefusal? {
    do {
      try await recognizer.recognize(peer, at: TestClock.now)
      return nil
    } catch let refusal as PeerRefusal { return refusal }
  }

  /// Lets a device come, and deletes its identity; this server does not hear of that.
  func delete(_ peer: DevicePeer) async throws {
    try await recognizer.recognize(peer, at: TestClock.now)
    let name = try #require(peer.recognized).identity.name
    try await store.units.transact { [organization] unit in
      guard var identity = try await unit.identity(.name(name), of: organization, locked: true) else {
        return
      }
      identity.status = .deleted
      _ = try await unit.update(identity)
    }
  }
}
