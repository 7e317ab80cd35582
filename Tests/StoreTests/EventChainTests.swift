import Audit
import Licensing
import Postgres
import Testing

@testable import Store

/// Events are sealed once, in the order of their transactions, and what is done to them afterwards is found.
@Suite struct EventChainTests {
  /// An organization with four people and so many events of its own.
  private func office(in store: TestStore, events: Int = 6) async throws -> Office {
    let office = try await Office(in: store)
    for number in 0..<events { try await record(number, of: office) }
    return office
  }

  private func record(_ number: Int, of office: Office) async throws {
    try await office.store.units.transact {
      try await $0.record(
        AuditEvent(
          "test.\(number)", organization: office.organization.record.key, actor: .machine,
          identity: office.people[number % 4].record.key, detail: ["number": "\(number)"]))
    }
  }

  private func findings(_ store: TestStore, heads: [ChainHead] = []) async throws -> [ChainFinding] {
    try await store.sealAll().verify(only: nil, heads: heads).flatMap(\.findings)
  }

  private func head(_ office: Office) async throws -> ChainHead {
    let (chain, now) = try await office.store.units.read {
      (try await $0.chain(of: office.organization.record.key), try await $0.now())
    }
    return try #require(try ChainHead(chain, at: now))
  }

  @Test func `events are numbered in the order of their transactions, per organization, and verify`()
    async throws
  {
    try await TestStore.withStore { store in
      let office = try await office(in: store)
      let other = try await Office(in: store, slug: "other")
      try await record(9, of: other)
      try await store.units.transact {
        try await $0.record(AuditEvent("own", organization: nil, actor: .system))
      }
      #expect(try await StoreEventChains(store.client).awaitsSealing())
      let chains = try await store.sealAll(limit: 3)
      #expect(try await chains.seal(limit: 3) == 0)
      let reports = try await chains.verify(only: nil, heads: [])
      #expect(reports.map(\.count) == [1, 6, 1] && reports.allSatisfy(\.findings.isEmpty))
      let told = try await store.units.read {
        try await $0.events(EventRequest(organization: office.organization.record.key)).events
      }
      #expect(told.map(\.seal?.position) == [1, 2, 3, 4, 5, 6])
      #expect(try await chains.verify(only: Slug("other"), heads: []).map(\.count) == [1])
    }
  }

  @Test func `a transaction that ends late is waited for, so that the order stays that of transactions`()
    async throws
  {
    try await TestStore.withStore { store in
      let office = try await office(in: store, events: 1)
      let organization = office.organization.record.key.rawValue
      let chains = StoreEventChains(store.client)
      try await store.client.session { session in
        try await session.simple(
          "BEGIN; INSERT INTO event (organization_id, type) VALUES (\(organization), 'late')")
        try await record(2, of: office)
        var sealed = 0
        while sealed == 0 { sealed += try await chains.seal(limit: 10) }
        let more = try await chains.seal(limit: 10)
        #expect(sealed == 1 && more == 0)
        try await session.simple("COMMIT")
      }
      try await store.sealAll()
      let types = try await store.ask(
        """
        SELECT string_agg(e.type, ' ' ORDER BY e.position) FROM event_told e WHERE organization_id = \(organization)
        """)
      #expect(types == "test.0 late test.2")
      #expect(try await findings(store) == [])
    }
  }

  @Test func `an altered, a missing and a moved event are each found`() async throws {
    try await TestStore.withStore { store in
      let office = try await office(in: store)
      let organization = office.organization.record.key.rawValue
      #expect(try await findings(store) == [])
      func place(_ position: Int) -> String {
        "(SELECT event_id FROM sealed_event WHERE organization_id = \(organization) AND position = \(position))"
      }
      try await store.run("UPDATE event SET detail = '{\"number\": \"7\"}' WHERE id = \(place(2))")
      #expect(try await findings(store) == [.altered(2)])
      try await store.run("UPDATE event SET detail = '{\"number\": \"1\"}' WHERE id = \(place(2))")
      #expect(try await findings(store) == [])
      // The same by way of who is meant.
      try await store.run("UPDATE event SET identity_id = identity_id + 1 WHERE id = \(place(2))")
      #expect(try await findings(store) == [.altered(2)])
      try await store.run("UPDATE event SET identity_id = identity_id - 1 WHERE id = \(place(2))")

      try await store.run(
        """
        UPDATE sealed_event s SET at = o.at, event_id = -o.event_id FROM sealed_event o
        WHERE (s.organization_id, o.organization_id) = (\(organization), \(organization))
          AND (s.position, o.position) IN ((3, 4), (4, 3));
        UPDATE sealed_event SET event_id = -event_id WHERE event_id < 0
        """)
      #expect(try await findings(store) == [.altered(3), .altered(4)])
      try await store.run("DELETE FROM event WHERE id = \(place(5))")
      #expect(try await findings(store) == [.altered(3), .altered(4), .missing(5...5)])
    }
  }

  @Test func `what is cut off the end, and a chain that was written anew, are found by a head that was kept`()
    async throws
  {
    try await TestStore.withStore { store in
      let office = try await office(in: store)
      let organization = office.organization.record.key.rawValue
      #expect(try await findings(store) == [])
      let head = try await head(office)
      #expect(head.last.position == 6)
      try await store.run(
        """
        DELETE FROM event e USING sealed_event s WHERE e.organization_id = s.organization_id AND e.at = s.at
          AND e.id = s.event_id AND s.organization_id = \(organization) AND s.position > 4;
        DELETE FROM sealed_event WHERE organization_id = \(organization) AND position > 4
        """)
      #expect(try await findings(store) == [.truncated(4, was: 6)], "the database's own end is enough")
      try await store.run(
        """
        UPDATE event_chain c SET position = s.position, digest = s.digest FROM sealed_event s
        WHERE c.organization_id = s.organization_id AND s.position = 4
        """)
      #expect(try await findings(store) == [])
      #expect(try await findings(store, heads: [head]) == [.truncated(4, was: 6)])
      for number in [7, 8, 9] { try await record(number, of: office) }
      #expect(try await findings(store, heads: [head]) == [.rewritten(6)])
      // Written into the past.
      try await store.run(
        "INSERT INTO event (organization_id, type, xid) VALUES (\(organization), 'x', '3'::xid8)")
      #expect(try await findings(store) == [.inserted(1)])
    }
  }

  @Test func `a person erased leaves the chain as it was`() async throws {
    try await TestStore.withStore { store in
      let office = try await office(in: store)
      #expect(try await findings(store) == [])
      let head = try await head(office)
      try await store.units.transact { unit in
        var identity = office.people[1]
        identity.status = .deleted
        try await unit.erase(try await unit.update(identity))
        var organization = office.organization
        organization.name = "Renamed"
        _ = try await unit.update(organization)
      }
      #expect(try await findings(store, heads: [head]) == [])
    }
  }

  @Test func `many who seal at once, while events are written, make one chain`() async throws {
    try await TestStore.withStore { store in
      let office = try await office(in: store, events: 0)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for worker in 0..<3 {
          group.addTask { for number in 0..<20 { try await record(worker + number, of: office) } }
          group.addTask {
            let chains = StoreEventChains(store.client)
            for _ in 0..<20 { _ = try await chains.seal(limit: 7) }
          }
        }
        try await group.waitForAll()
      }
      let reports = try await store.sealAll().verify(only: nil, heads: [])
      #expect(reports.map(\.count) == [60] && reports.allSatisfy(\.findings.isEmpty))
    }
  }

  @Test func `after a database moved to a server that has counted fewer transactions, sealing goes on`()
    async throws
  {
    try await TestStore.withStore { store in
      let office = try await office(in: store, events: 2)
      #expect(try await findings(store) == [])
      try await store.run(
        """
        UPDATE event_seal_cursor SET sealed_below = '1000000000000';
        INSERT INTO event (organization_id, type, xid)
        VALUES (\(office.organization.record.key.rawValue), 'from there', '999999999999'::xid8)
        """)
      try await record(3, of: office)
      let reports = try await store.sealAll().verify(only: nil, heads: [])
      #expect(reports.map(\.count) == [4] && reports.allSatisfy(\.findings.isEmpty))
      #expect(try await StoreEventChains(store.client).seal(limit: 10) == 0)
    }
  }

  @Test func `what is older than events are kept is dropped from the front, of which an event tells`()
    async throws
  {
    try await TestStore.withStore { store in
      let office = try await office(in: store)
      let organization = office.organization.record.key.rawValue
      let chains = StoreEventChains(store.client)
      #expect(try await findings(store) == [])
      let head = try await head(office)
      #expect(try await chains.prune(keepingDays: 7) == 0)
      try await store.run(
        """
        UPDATE sealed_event SET at = at - interval '9 days' WHERE position <= 4;
        UPDATE event SET at = at - interval '9 days' WHERE type IN ('test.0', 'test.1', 'test.2', 'test.3')
        """)
      #expect(try await chains.prune(keepingDays: 7) == 4)
      try await store.sealAll()
      let reports = try await chains.verify(only: nil, heads: [head])
      #expect(reports.map(\.count) == [3] && reports.allSatisfy(\.findings.isEmpty), "\(reports)")
      #expect(try await chains.prune(keepingDays: 7) == 0)
      #expect(
        try await store.ask("SELECT count(*) FROM event WHERE organization_id = \(organization)") == "3")
      // Whoever only says that there was nothing.
      try await store.run(
        "DELETE FROM sealed_event WHERE position = 5; DELETE FROM event WHERE type = 'test.4'")
      #expect(try await findings(store) == [.missing(5...5)])
      try await store.run(
        """
        UPDATE event_chain c SET pruned_position = 6, pruned_digest = s.digest FROM sealed_event s WHERE s.position = 6;
        DELETE FROM sealed_event WHERE position = 6; DELETE FROM event WHERE type = 'test.5'
        """)
      #expect(try await findings(store) == [.beheaded(6)])
    }
  }
}
