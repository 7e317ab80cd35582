import Fixtures
import Issuance
import Licensing
import Postgres
import Testing

@testable import Store

/// The second wall between organizations: what a statement forgets to say is not shown.
@Suite struct WallTests {
  /// What belongs to no organization.
  private static let common = ["event_seal_cursor", "idempotency", "lease_key", "product", "schema_version"]

  private static let owned = """
    SELECT string_agg(c.relname, ' ' ORDER BY c.relname) FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'tenant' AND c.relrowsecurity)
    """

  /// Databases of a server have each their own; the copy of one has its original's.
  private static func role(in store: TestStore) async throws -> String {
    try #require(
      try await store.ask(
        """
        SELECT r.rolname FROM pg_policy p JOIN pg_roles r ON r.oid = p.polroles[1]
        WHERE p.polname = 'tenant' AND p.polrelid = 'organization'::regclass
        """))
  }

  @Test func `every table of organizations stands behind it, and every view asks as who asks`() async throws {
    try await TestStore.withStore { store in
      let open = """
        SELECT string_agg(c.relname, ' ' ORDER BY c.relname) FROM pg_class c
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v') AND NOT c.relispartition
          AND CASE WHEN c.relkind = 'v' THEN NOT coalesce('security_invoker=true' = ANY (c.reloptions), false)
            ELSE NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'tenant'
              AND c.relrowsecurity) END
        """
      #expect(
        try await store.ask(open) == Self.common.joined(separator: " "), "a migration calls build_walls()")
      let closed = """
        SELECT string_agg(c.relname, ' ') FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace
          AND c.relkind IN ('r', 'p', 'v') AND NOT c.relispartition
          AND NOT has_table_privilege('\(try await Self.role(in: store))', c.oid, 'SELECT, INSERT, UPDATE, DELETE')
        """
      let forbidden = try await store.ask(closed)
      #expect(forbidden == nil, "a migration calls build_walls()")
    }
  }

  /// Two organizations with one of most things.
  private func withNeighbours(
    _ body: (TestStore, _ own: Office, _ other: Office) async throws -> Void
  ) async throws {
    try await TestStore.withStore { store in
      let (own, other) = (try await Office(in: store), try await Office(in: store, slug: "beta"))
      for office in [own, other] {
        _ = try await office.claim(0)
        try await store.units.transact { unit in
          try await unit.record(
            AuditEvent("test.made", organization: office.organization.record.key, actor: .machine))
        }
      }
      try await body(store, own, other)
    }
  }

  @Test func `a statement that forgets the organization sees its own rows, and before one is named none`()
    async throws
  {
    try await withNeighbours { store, own, other in
      let tables = try #require(try await store.ask(Self.owned)).split(separator: " ").map(String.init)
      #expect(tables.count > 20)
      let role = try await Self.role(in: store)
      var shown = 0
      for table in tables + ["license_state", "seat_state"] {
        let subject = table == "organization" ? "id" : "organization_id"
        let count = "SELECT count(*)::text FROM \(table)"
        let foreign = "\(count) WHERE \(subject) IS DISTINCT FROM \(own.organization.record.key.rawValue)"
        let (none, mine, others) = try await store.client.transaction { work in
          func ask(_ sql: String) async throws -> String? { try await work.run(Ask(sql: sql)).first ?? nil }
          _ = try await ask("SELECT set_config('role', '\(role)', true)")
          let none = try await ask(count)
          _ = try await ask("SELECT confine(\(own.organization.record.key.rawValue))::text")
          return (none, try await ask(count), try await ask(foreign))
        }
        #expect(none == "0" && others == "0", "\(table)")
        if mine != "0" { shown += 1 }
        // The wall is down with its transaction.
        if mine != "0" { #expect(try await store.ask(foreign) != "0", "\(table)") }
      }
      #expect(shown >= 8)
    }
  }

  @Test func `what an organization's unit of work asks of another is not there, and is not written`()
    async throws
  {
    try await withNeighbours { store, own, other in
      let (mine, theirs) = (own.organization.record.key, other.organization.record.key)
      try await store.units.transact { unit in
        try await unit.confine(to: mine)
        #expect(try await unit.identities(of: mine, IdentityFilter(), PageRequest()).elements.count == 4)
        #expect(try await unit.identities(of: theirs, IdentityFilter(), PageRequest()).elements.isEmpty)
        #expect(try await unit.licenses(of: theirs, LicenseFilter(), PageRequest()).elements.isEmpty)
        #expect(try await unit.organization(other.organization.slug, locked: false) == nil)
        // What goes on there goes on behind the wall too, triggers and allocator included.
        let identity = try await unit.insert(
          NewIdentity(record: TestStore.newRecord(), organization: mine, name: IdentityName("new")!))
        try await unit.announce(.identity(mine, identity.record.key))
      }
      await #expect(throws: StorageError.self) {
        try await store.units.transact { unit in
          try await unit.confine(to: mine)
          _ = try await unit.insert(
            NewIdentity(record: TestStore.newRecord(), organization: theirs, name: IdentityName("new")!))
        }
      }
    }
  }

  @Test func `a server that does not own the tables, and inherits from the role, sees what it saw`()
    async throws
  {
    try await withNeighbours { store, own, other in
      // As a server does that does not own the tables and inherits from the role: it meets the policies, and sees all.
      let role = try await Self.role(in: store)
      try await store.run(
        "CREATE ROLE \(role)_server NOLOGIN; GRANT \(role) TO \(role)_server; GRANT EXECUTE ON FUNCTION ask TO PUBLIC"
      )
      let count = "SELECT count(*)::text FROM identity"
      let seen = try await store.client.transaction { work in
        func ask(_ sql: String) async throws -> String? { try await work.run(Ask(sql: sql)).first ?? nil }
        _ = try await ask("SELECT set_config('role', '\(role)_server', true)")
        return try await ask(count)
      }
      #expect(seen == "8")
    }
  }

  @Test(arguments: [false, true])
  func `who owns the database and may make no roles does without, until somebody grants it`(isGranted: Bool)
    async throws
  {
    let name = "owner_\(isGranted)"
    var configuration = try await TestCluster.shared.database()
    let database = try #require(configuration.database)
    try await TestStore.withClient(configuration) { administrator in
      try await administrator.session {
        try await $0.simple(
          """
          CREATE ROLE \(name) LOGIN;
          ALTER DATABASE \(database) OWNER TO \(name);
          \(isGranted ? "CREATE ROLE \(database)_tenant NOLOGIN; GRANT \(database)_tenant TO \(name)" : "")
          """)
      }
    }
    configuration.user = name
    try await TestStore.withClient(configuration) { client in
      try await Migrator(client).migrate()
      try await client.session { try await $0.simple(TestStore.asking) }
      let store = TestStore(client)
      let office = try await Office(in: store)
      let key = office.organization.record.key
      try await store.units.transact { unit in
        try await unit.confine(to: key)
        #expect(try await unit.identities(of: key, IdentityFilter(), PageRequest()).elements.count == 4)
      }
      #expect(try await Migrator(client).hasSecondWall() == isGranted)
      // Devices are served either way.
      guard case .granted = try await office.claim(0) else { throw StorageError.fault("no seat") }
    }
  }
}
