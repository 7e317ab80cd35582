import FoundationEssentials
import Issuance
import Licensing
import Postgres
import Testing

@testable import Store

/// The second wall does not change how rows are found: what is fast without it stays so, in the largest tenant too.
@Suite struct WallPlanTests {
  /// A thousand small tenants, and one with 10,000 of everything.
  private static func fill(large: Key<Organization>) -> String {
    let large = large.rawValue
    return """
      SET session_replication_role = replica;
      INSERT INTO organization (public_id, slug, name) SELECT gen_random_uuid(), 'o' || n, 'o' FROM generate_series(1, 1000) n;
      INSERT INTO authority (organization_id, public_id, kind, status, proven_at, certificate, spki_sha256, subject, group_key)
        SELECT id, gen_random_uuid(), 2, 2, now(), '\\x00', sha256(id::text::bytea), '\\x00', 'g' FROM organization;
      INSERT INTO license (organization_id, public_id, product_id, model)
        SELECT id, gen_random_uuid(), 1, 1 FROM organization WHERE id <> \(large);
      INSERT INTO license_counter (organization_id, product_id, license_id, seats)
        SELECT organization_id, product_id, id, 10 FROM license WHERE organization_id <> \(large);
      INSERT INTO identity (organization_id, public_id, name)
        SELECT id, gen_random_uuid(), 'i' FROM organization
        UNION ALL SELECT \(large), gen_random_uuid(), 'n' || n FROM generate_series(1, 10000) n;
      INSERT INTO identity_seen SELECT organization_id, id, now() FROM identity;
      INSERT INTO seat (organization_id, product_id, identity_id, license_id, generation, revision, granted_at,
        expires_at, reclaim_at)
        SELECT i.organization_id, 1, i.id, l.id, 0, 0, now(), now() + interval '1 hour', now() + interval '1 hour'
        FROM identity i JOIN license l ON l.organization_id = i.organization_id;
      INSERT INTO certificate (organization_id, authority_id, identity_id, serial, fingerprint, spki_sha256, not_before,
        not_after, source, der)
        SELECT i.organization_id, a.id, i.id, to_hex(i.id), sha256(('f' || i.id)::bytea), sha256(('k' || i.id)::bytea),
          now(), now() + interval '1 year', 1, '\\x00'
        FROM identity i JOIN authority a ON a.organization_id = i.organization_id;
      INSERT INTO enrollment (organization_id, public_id, token_hash, identity_id, expires_at)
        SELECT organization_id, gen_random_uuid(), sha256(id::text::bytea), id, now() + interval '1 day' FROM identity;
      INSERT INTO api_token (organization_id, public_id, token_hash, name, role)
        SELECT organization_id, gen_random_uuid(), sha256(id::text::bytea), 't', 1 FROM identity;
      INSERT INTO event (organization_id, type, identity_id, license_id, actor_kind, actor_id)
        SELECT i.organization_id, 'x', i.id, l.id, 2, i.id
        FROM identity i JOIN license l ON l.organization_id = i.organization_id,
          generate_series(1, CASE i.organization_id WHEN \(large) THEN 1 ELSE 20 END);
      INSERT INTO sealed_event
        SELECT organization_id, row_number() OVER (PARTITION BY organization_id ORDER BY at, id), at, id, decode(repeat('00', 32), 'hex')
        FROM (SELECT organization_id, at, id FROM event) e;
      ANALYZE;
      SET session_replication_role = origin;
      """
  }

  /// Every list, and how its rows and their owners are looked up.
  private static func reads(_ office: Office) -> [any Statement] {
    let (organization, license) = (office.organization.record.key, office.license)
    let (person, page) = (office.people[0], PageRequest(limit: 50))
    let time = Instant(seconds: 1)
    return [
      ListEvents(request: EventRequest(organization: organization)), ReadChains(organization: organization),
      ReadSealed(organization: organization, after: 0, limit: 50),
      ListIdentities(organization: organization, filter: IdentityFilter(), page: page, most: 51),
      FindIdentityByName(organization: organization, name: person.name),
      FindIdentityByID(organization: organization, id: person.record.id),
      ListLicenses(organization: organization, filter: LicenseFilter(), page: page),
      ReadLicense(organization: organization, license: license.record.key),
      ListSeats(organization: organization, license: license.record.key, page: page),
      HeldSeats(organization: organization, identity: person.record.key),
      FindUsage(license: license, from: time, to: time, page: page), FindReservations(license: license),
      ListCertificates(organization: organization, identity: person.record.key, page: page),
      FindCertificatesByFingerprint(organization: organization, fingerprint: []),
      FindCertificatesBySerialNumber(organization: organization, serialNumber: ""),
      ListEnrollments(organization: organization, page: page),
      ListAuthorities(organization: organization, page: page),
      ListTokens(organization: organization, page: page),
      ListWebhooks(organization: organization, page: page),
    ]
  }

  /// Lists that are no organization's, and one that takes a webhook to ask for.
  private static let others: Set = ["ListOrganizations", "ListProducts", "ListDeadLetters"]

  @Test func `every list finds its rows behind the wall as it does without, and few others`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store)
      try await store.run(Self.fill(large: office.organization.record.key))
      try await store.run(
        """
        CREATE FUNCTION plan(name text, parameters int) RETURNS text LANGUAGE plpgsql AS $$
        DECLARE line text; lines text := '';
        BEGIN
          FOR line IN EXECUTE format('EXPLAIN (COSTS OFF) EXECUTE %I%s', name,
            CASE WHEN parameters > 0 THEN '(' || array_to_string(array_fill('NULL'::text, ARRAY[parameters]), ',') || ')' ELSE '' END)
          LOOP lines := lines || line || E'\\n'; END LOOP;
          RETURN lines;
        END $$;
        """)
      let reads = Self.reads(office)
      let names = Set(reads.map { "\(type(of: $0))" })
      #expect(try Self.lists().subtracting(names) == Self.others)
      try await store.client.transaction { work in
        func ask(_ sql: String) async throws -> String? { try await work.run(Ask(sql: sql)).first ?? nil }
        _ = try await ask("SELECT set_config('plan_cache_mode', 'force_generic_plan', true)")
        _ = try await ask("SELECT set_config('enable_seqscan', 'off', true)")
        for read in reads { _ = try await work.run(read) }
        // Its connection may have prepared others before.
        let texts = reads.map { "$q$\(type(of: $0).sql)$q$" }.joined(separator: ", ")
        let all = """
          SELECT string_agg(plan(name, cardinality(parameter_types)), '====' ORDER BY name)
          FROM pg_prepared_statements WHERE statement IN (\(texts))
          """
        let open = try #require(try await ask(all)).split(separator: "====").map(String.init)
        #expect(open.count == reads.count)
        _ = try await work.run(Confine(organization: office.organization.record.key))
        let behind = try #require(try await ask(all)).split(separator: "====").map(String.init)
        #expect(behind.contains { $0.contains("CURRENT_USER") })
        for (open, behind) in zip(open, behind) {
          #expect(Self.shape(of: open) == Self.shape(of: behind), "\(behind)")
        }
      }
      try await readsFewEvents(store, office.organization.record.key)
    }
  }

  /// A page and an export of the trail.
  private func readsFewEvents(_ store: TestStore, _ organization: Key<Organization>) async throws {
    for limit in [50, 500] {
      try await store.client.transaction { work in
        func ask(_ sql: String) async throws -> String? { try await work.run(Ask(sql: sql)).first ?? nil }
        _ = try await ask("SELECT set_config('enable_seqscan', 'off', true)")
        _ = try await work.run(Confine(organization: organization))
        let read = """
          SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::text FROM pg_stat_xact_user_tables
          """
        let before = try #require(try await ask(read).flatMap { Int($0) })
        let events = try await work.run(
          ListEvents(request: EventRequest(organization: organization, limit: limit)))
        let after = try #require(try await ask(read).flatMap { Int($0) })
        #expect(events.count == limit + 1 && after - before < 12 * limit, "\(after - before) rows")
      }
    }
  }

  /// The nodes of a plan and by what they look up; not what the wall adds, which is one filter.
  private static func shape(of plan: String) -> [String] {
    plan.split(separator: "\n").map { String($0.drop { $0 == " " }) }
      .filter { line in
        !["Filter:", "InitPlan", "Result", "->  Result", "One-Time Filter:", "Params Evaluated:"].contains {
          line.hasPrefix($0)
        }
      }
      .map { line in
        line.replacing(#/\$[0-9]+/#, with: "$").replacing(#/SubPlan [0-9]+/#, with: "SubPlan")
          .replacing("Index Only Scan", with: "Index Scan")
      }
  }

  /// The statements that are lists, by name.
  private static func lists() throws -> Set<String> {
    let root = #filePath.replacing("Tests/StoreTests/WallPlanTests.swift", with: "Sources/Store")
    let files = try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.hasSuffix(".swift") }
    return try files.reduce(into: []) { names, file in
      let text = try String(contentsOfFile: "\(root)/\(file)", encoding: .utf8)
      for match in text.matches(of: #/struct (List[A-Za-z]+):/#) { names.insert(String(match.1)) }
    }
  }
}
