import Licensing
import Postgres
import Testing

@testable import Store

/// Plans are cached, and made while tables are small and tenants alike: they must stay good when that is over.
@Suite struct SeatPlanTests {
  /// What the planner knew when it made the plans that are kept.
  enum Knowledge: CaseIterable {
    case emptyTables
    case oneSmallLicense
    /// That licenses are small on the average.
    case manySmallLicenses
  }

  @Test(arguments: Knowledge.allCases)
  func `a batch reads a few rows per request, however the tables grew since it was planned`(
    _ knowledge: Knowledge
  ) async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 1_000_000, people: 64)
      try await store.client.session { session in
        if knowledge == .manySmallLicenses { try await session.simple(Self.smallTenants) }
        if knowledge != .emptyTables { try await session.simple(Self.batch(1, from: 1, count: 64)) }
        try await session.simple("VACUUM ANALYZE")
        for operation in [1, 1, 2, 3, 3, 1, 3] {
          try await session.simple(Self.batch(operation, from: 1, count: 2))
          try await session.simple(Self.renewals(from: 1, count: 2))
        }
        if knowledge != .manySmallLicenses { try await session.simple(Self.smallTenants) }
        try await session.simple(Self.largeTenant)
        let batches = [1, 2, 3].map { Self.batch($0, from: 5000, count: 256) }
        for batch in [Self.renewals(from: 5000, count: 256)] + batches {
          try await session.simple("BEGIN")
          let before = try await Self.rowsRead(in: session)
          try await session.simple(batch)
          let after = try await Self.rowsRead(in: session)
          try await session.simple("COMMIT")
          #expect((after - before) / 256 < 12, "\(batch)")
        }
      }
      #expect(try await office.faults() == nil)
    }
  }

  @Test func `a page of a large license's seats is read without the rest of them`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 1_000_000, people: 2)
      try await store.client.session { session in
        try await session.simple(
          """
          INSERT INTO organization (public_id, slug, name) SELECT gen_random_uuid(), 'o' || n, 'o' FROM generate_series(1, 2000) n;
          INSERT INTO license (organization_id, public_id, product_id, model)
            SELECT id, gen_random_uuid(), 1, 1 FROM organization WHERE slug LIKE 'o%';
          INSERT INTO license_counter (organization_id, product_id, license_id, seats)
            SELECT organization_id, product_id, id, 10 FROM license WHERE organization_id > 1;
          INSERT INTO identity (organization_id, public_id, name)
            SELECT id, gen_random_uuid(), 'i' FROM organization WHERE slug LIKE 'o%'
            UNION ALL SELECT 1, gen_random_uuid(), 'n' || n FROM generate_series(1, 20000) n;
          INSERT INTO seat (organization_id, product_id, identity_id, license_id, generation, revision, granted_at,
            expires_at, reclaim_at)
            SELECT i.organization_id, 1, i.id, l.id, 0, 0, now(), now() + interval '1 hour', now() + interval '1 hour'
            FROM identity i JOIN license l ON l.organization_id = i.organization_id;
          ANALYZE;
          SET enable_seqscan = off;
          SET plan_cache_mode = force_generic_plan;
          """)
        try await session.simple("BEGIN")
        let before = try await Self.rowsRead(in: session)
        let page = try await session.run(
          ListSeats(
            organization: office.organization.record.key, license: office.license.record.key,
            page: PageRequest(limit: 50, after: 5000)))
        let after = try await Self.rowsRead(in: session)
        try await session.simple("COMMIT")
        #expect(
          page.count >= 50 && after - before < 1000, "\(after - before) rows for \(page.count) of the page")
      }
    }
  }

  /// A thousand tenants with a seat each.
  private static let smallTenants = """
    INSERT INTO organization (public_id, slug, name) SELECT gen_random_uuid(), 'o' || n, 'o' FROM generate_series(1, 1000) n;
    INSERT INTO license (organization_id, public_id, product_id, model)
      SELECT id, gen_random_uuid(), 1, 1 FROM organization WHERE slug LIKE 'o%';
    INSERT INTO license_counter (organization_id, product_id, license_id, seats)
      SELECT organization_id, product_id, id, 10 FROM license WHERE organization_id > 1;
    INSERT INTO identity (organization_id, public_id, name)
      SELECT id, gen_random_uuid(), 'i' FROM organization WHERE slug LIKE 'o%';
    INSERT INTO seat (organization_id, product_id, identity_id, license_id, generation, revision, granted_at, expires_at,
      reclaim_at)
      SELECT organization_id, 1, id, (SELECT id FROM license l WHERE l.organization_id = i.organization_id), 0, 0, now(),
        now() + interval '1 hour', now() + interval '1 hour' FROM identity i WHERE organization_id > 1;
    """
  /// The first tenant becomes large.
  private static let largeTenant = """
    INSERT INTO identity (organization_id, public_id, name)
      SELECT 1, gen_random_uuid(), 'n' || n FROM generate_series(1, 10000) n;
    INSERT INTO seat (organization_id, product_id, identity_id, license_id, generation, revision, granted_at, expires_at,
      reclaim_at)
      SELECT 1, 1, id, (SELECT id FROM license l WHERE l.organization_id = 1), 0, 0, now(),
        now() + interval '1 hour', now() + interval '1 hour' FROM identity
      WHERE organization_id = 1 AND id % 2 = 0 AND name LIKE 'n%';
    """

  private static func batch(_ operation: Int, from first: Int, count: Int) -> String {
    """
    SELECT count(*) FROM seat_decide(1, 1, array_fill(\(operation)::smallint, ARRAY[\(count)]),
      ARRAY(SELECT n FROM generate_series(\(first), \(first + count - 1)) n), array_fill(1::bigint, ARRAY[\(count)]), NULL)
    """
  }

  private static func renewals(from first: Int, count: Int) -> String {
    """
    SELECT count(*) FROM seat_renew(1, 1, ARRAY(SELECT n FROM generate_series(\(first), \(first + count - 1)) n),
      array_fill(0::bigint, ARRAY[\(count)]))
    """
  }

  private static func rowsRead(in session: PostgresSession) async throws -> Int {
    let sql =
      "SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) FROM pg_stat_xact_user_tables"
    let answer = try await session.run(Ask(sql: sql)).first ?? nil
    return try #require(answer.flatMap { Int($0) })
  }
}
