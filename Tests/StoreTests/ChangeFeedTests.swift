import Issuance
import Licensing
import Postgres
import Testing

@testable import Store

/// What other servers hear, and that they miss nothing.
@Suite struct ChangeFeedTests {
  @Test func `the snapshot holds who is trusted, and its cursor goes on from there`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store)
      let authority = try await store.units.transact {
        try await $0.insert(newAuthority(of: office.organization, status: .active, key: 1))
      }
      let snapshot = try await store.trust.snapshot()
      #expect(snapshot.organizations.map(\.organization.slug) == [office.organization.slug])
      #expect(snapshot.organizations.first?.authorities.map(\.record.id) == [authority.record.id])

      let organization = office.organization.record.key
      let certificate = try await store.units.transact { unit in
        try await unit.insert(
          CertificateFacts(
            der: [1], serialNumber: "01", fingerprint: bytes(1), spki: bytes(2),
            notBefore: Instant(seconds: 1),
            notAfter: Instant(seconds: 4_000_000_000)),
          authority: authority, identity: office.people[0].record.key, origin: nil)
      }
      // A new certificate is found when it comes.
      let quiet = try await store.trust.changes(since: snapshot.cursor).changes
      #expect(!quiet.contains(.certificate(organization, certificate: certificate.key.rawValue)))
      let standings = try await store.trust.standings(
        ofCertificates: [bytes(9), bytes(1)], under: authority.record.key)
      #expect(Array(standings.keys) == [bytes(1)])
      let standing = try #require(standings[bytes(1)])
      #expect(standing.certificate == certificate.key && standing.status == .active)
      #expect(standing.identity.name == office.people[0].name)

      try await store.units.transact { unit in
        try await unit.revoke(certificate.key, organization: organization, reason: .unspecified)
        try await unit.announce(.certificate(organization, certificate: certificate.key.rawValue))
        var suspended = office.people[1]
        suspended.status = .suspended
        _ = try await unit.update(suspended)
        var retired = authority
        retired.status = .retired
        _ = try await unit.update(retired)
      }
      let batch = try await store.trust.changes(since: snapshot.cursor)
      // What was before the cursor may come again, as long as any transaction from before it is under way.
      #expect(
        batch.changes.suffix(3) == [
          .certificate(organization, certificate: certificate.key.rawValue),
          .identity(organization, office.people[1].record.key),
          .authority(organization, authority: authority.record.key.rawValue),
        ])
      #expect(batch.cursor.transaction >= snapshot.cursor.transaction)
      let stored = try await store.trust.status(ofCertificates: [
        TenantKey(organization, certificate.key), TenantKey(Key(999), certificate.key),
      ])
      #expect(stored.map(\.certificate) == [certificate.key] && stored[0].status == .revoked)
      #expect(
        stored[0].authority == authority.record.key && stored[0].fingerprint == certificate.facts.fingerprint)
      let people = office.people.map { TenantKey(organization, $0.record.key) }
      let read = try await store.trust.identities(people.prefix(2) + [TenantKey(Key(999), people[0].key)])
      #expect(
        Dictionary(uniqueKeysWithValues: read.map { ($0.record.key, $0.status) }) == [
          people[0].key: .active, people[1].key: .suspended,
        ])
      #expect(try await store.trust.organization(organization)?.authorities.map(\.status) == [.retired])
      #expect(try await store.trust.organization(Key(999)) == nil)
    }
  }

  @Test func `the loss of a seat is told, a grant or a renewal is not`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 4)
      let (organization, product) = (office.organization.record.key, office.product.record.key)
      let start = try await store.trust.snapshot().cursor
      _ = try await office.decide([(0, .claim), (1, .claim), (2, .claim)])
      _ = try await office.decide([(0, .claim), (3, .release)])
      #expect(try await losses(since: start, in: store) == [])
      _ = try await office.decide([(0, .release), (1, .release)])
      _ = try await office.free(2)
      #expect(
        try await losses(since: start, in: store) == [
          .seatLost(organization, product, office.people[0].record.key),
          .seatLost(organization, product, office.people[1].record.key),
          .seatLost(organization, product, office.people[2].record.key),
        ])
    }
  }

  private func losses(since cursor: ChangeCursor, in store: TestStore) async throws -> [Change] {
    try await store.trust.changes(since: cursor).changes.filter {
      if case .seatLost = $0 { true } else { false }
    }
  }

  @Test func `a change that commits late is not missed`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store)
      let organization = office.organization.record.key
      let change = Change.identity(organization, office.people[0].record.key)
      let start = try await store.trust.snapshot().cursor
      // A transaction takes its number, others overtake it, the feed moves on, and only then it commits.
      let seen = try await store.client.session { session in
        try await session.simple("BEGIN; UPDATE identity SET role = 2 WHERE name = 'person-0'")
        var suspended = office.organization
        suspended.status = .suspended
        _ = try await store.units.transact { [suspended] in try await $0.update(suspended) }
        let early = try await store.trust.changes(since: start)
        #expect(early.changes.last == .organization(organization))
        #expect(!early.changes.contains(change))
        try await session.simple("COMMIT")
        return early
      }
      let late = try await store.trust.changes(since: seen.cursor)
      #expect(late.changes.contains(change))
    }
  }

  @Test func `a deleted authority is told until its key is proven again`() async throws {
    try await TestStore.withStore { store in
      let one = try await Office(in: store, slug: "one").organization
      let two = try await Office(in: store, slug: "two").organization
      try await store.units.transact { unit in
        var authority = try await unit.insert(newAuthority(of: one, status: .active, key: 1))
        authority.status = .deleted
        _ = try await unit.update(authority)
      }
      #expect(try await store.trust.organization(one.record.key)?.authorities.map(\.status) == [.deleted])
      try await store.units.transact {
        _ = try await $0.insert(newAuthority(of: two, kind: .external, status: .active, key: 1))
      }
      #expect(try await store.trust.organization(one.record.key)?.authorities.isEmpty == true)
      #expect(try await store.trust.snapshot().organizations.map(\.authorities.count) == [0, 1])
    }
  }

  @Test func `an authority deleted without proof is told to nobody, one of a deleted organization is`()
    async throws
  {
    try await TestStore.withStore { store in
      let one = try await Office(in: store, slug: "one").organization
      let two = try await Office(in: store, slug: "two").organization
      try await store.units.transact { unit in
        var pending = try await unit.insert(newAuthority(of: one, kind: .external, status: .pending, key: 1))
        pending.status = .deleted
        _ = try await unit.update(pending)
        _ = try await unit.insert(newAuthority(of: two, kind: .external, status: .active, key: 2))
        var ended = two
        ended.status = .deleted
        _ = try await unit.update(ended)
      }
      #expect(try await store.trust.organization(one.record.key)?.authorities.isEmpty == true)
      let snapshot = try await store.trust.snapshot().organizations
      #expect(snapshot.map(\.organization.status) == [.active, .deleted])
      #expect(snapshot.map { $0.authorities.map(\.status) } == [[], [.deleted]])
    }
  }

  @Test func `a cursor goes on only on the same server, forwards, and without a long gap`() async throws {
    try await TestStore.withStore { store in
      let here = try await store.trust.snapshot().cursor
      let next = try await store.trust.changes(since: here).cursor
      #expect(next.follows(here) && next.server == here.server)
      func moved(_ transactions: Int64 = 0, server: Int64 = 0, by seconds: Int64 = 1) -> ChangeCursor {
        ChangeCursor(
          transaction: UInt64(Int64(here.transaction) + transactions),
          server: here.server.adding(seconds: server), at: here.at.adding(seconds: seconds))
      }
      #expect(moved(5).follows(here))
      #expect(!moved(-1).follows(here), "a server that took over has lost the last transactions")
      #expect(!moved(5, server: 60).follows(here), "another server's numbers say nothing")
      #expect(!moved(5, by: 86_400).follows(here), "what was changed meanwhile is deleted by now")
    }
  }

  @Test func `housekeeping makes partitions and forgets what is old`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store)
      _ = try await office.claim(0)
      try await store.run("UPDATE change SET at = now() - interval '2 days'")
      for _ in 0..<2 { try await Housekeeping(store.client).run() }
      #expect(try await store.ask("SELECT count(*) FROM change") == "0")
      #expect(try await store.ask("SELECT count(*) FROM event_default") == "0")
      #expect(try await store.ask("SELECT count(*) FROM event") == "1")
      #expect(
        try await store.ask("SELECT count(*) FROM pg_inherits WHERE inhparent = 'event'::regclass") == "3")
      #expect(try await office.claim(1).word == "granted")
      #expect(try await store.ask("SELECT count(*) FROM event_default") == "0")
    }
  }
}
