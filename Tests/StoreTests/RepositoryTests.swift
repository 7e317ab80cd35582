import Issuance
import Licensing
import Testing

@testable import Store

/// Every aggregate goes in and comes out as it was, and what must be unique is.
@Suite struct RepositoryTests {
  @Test func `organizations`() async throws {
    try await TestStore.withStore { store in
      let record = NewRecord(
        id: Identifier(high: 1, low: 2), externalID: "crm-1", metadata: ["tier": "gold", "é\"\\\n": "…"])
      let made = try await store.units.transact {
        try await $0.insert(
          NewOrganization(
            record: record, slug: Slug("acme")!, name: "Acme", contactURL: "https://acme.test/",
            hostname: "acme.test"))
      }
      #expect(made.record.id == record.id && made.record.externalID == "crm-1")
      #expect(made.record.metadata == record.metadata)
      #expect(
        made.status == .active && made.renewAfterExpirySeconds == 2_592_000 && made.record.revision == 1)
      #expect(made.contactURL == "https://acme.test/" && made.hostname == "acme.test")

      let changed = try await store.units.transact { unit in
        var organization = try #require(try await unit.organization(Slug("acme")!, locked: true))
        organization.name = "Acme 2"
        organization.hostname = nil
        organization.renewAfterExpirySeconds = 5
        return try await unit.update(organization)
      }
      #expect(changed.record.revision == 2 && changed.record.updatedAt > made.record.updatedAt)
      #expect(changed.name == "Acme 2" && changed.hostname == nil && changed.renewAfterExpirySeconds == 5)
      #expect(changed.record.metadata == record.metadata)

      await conflict(.organizationSlug, in: store) {
        _ = try await $0.insert(
          NewOrganization(record: TestStore.newRecord(), slug: Slug("acme")!, name: "x"))
      }
      await conflict(.externalID, in: store) {
        _ = try await $0.insert(
          NewOrganization(
            record: NewRecord(id: Identifier(high: 1, low: 3), externalID: "crm-1"), slug: Slug("b")!,
            name: "x"))
      }
    }
  }

  @Test func `a deleted organization takes its tokens and authorities along, and frees its slug and keys`()
    async throws
  {
    try await TestStore.withStore { store in
      let authority = try await store.units.transact { unit in
        let organization = try await unit.insert(
          NewOrganization(record: TestStore.newRecord(), slug: Slug("acme")!, name: "Acme"))
        _ = try await unit.insert(
          NewAPIToken(
            record: TestStore.newRecord(), organization: organization.record.key, name: "ci", role: .admin,
            hash: bytes(9), ttlSeconds: nil))
        let authority = try await unit.insert(newAuthority(of: organization, status: .active, key: 1))
        #expect(try await unit.token(hash: bytes(9))?.slug == Slug("acme"))
        #expect(try await unit.publicCertificate(of: authority.record.id) == [1])
        var ended = organization
        ended.status = .deleted
        _ = try await unit.update(ended)
        #expect(try await unit.organization(Slug("acme")!, locked: false) == nil)
        #expect(try await unit.token(hash: bytes(9)) == nil)
        return authority
      }
      try await store.units.transact { unit in
        #expect(try await unit.publicCertificate(of: authority.record.id) == nil)
        let again = try await unit.insert(
          NewOrganization(record: TestStore.newRecord(), slug: Slug("acme")!, name: "Acme"))
        _ = try await unit.insert(newAuthority(of: again, status: .active, key: 1))
      }
      // A deleted one is remembered, without the key that somebody has proven since.
      let trust = try await store.trust.snapshot().organizations
      #expect(trust.map(\.organization.status) == [.deleted, .active])
      #expect(trust.map(\.authorities.count) == [0, 1])
    }
  }

  @Test func `products`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store)
      let unused = try await store.units.transact {
        try await $0.insert(
          NewProduct(record: TestStore.newRecord(), code: ProductCode("tool")!, name: "Tool"))
      }
      #expect(unused.features.isEmpty)
      await conflict(.productCode, in: store) {
        _ = try await $0.insert(
          NewProduct(record: TestStore.newRecord(), code: ProductCode("tool")!, name: "x"))
      }
      try await store.units.transact { unit in
        var product = try #require(try await unit.product(ProductCode("tool")!, locked: true))
        product.features = ["on": .flag(true)]
        #expect(try await unit.update(product).features == ["on": .flag(true)])
        let page = try await unit.products(ProductFilter(), PageRequest(limit: 1))
        #expect(page.next == office.product.record.key.rawValue)
        #expect(try await unit.delete(product.record.key))
        #expect(try await unit.delete(office.product.record.key) == false)
      }
      #expect(try await store.seats.product(ProductCode("tool")!) == nil)
      #expect(try await store.seats.product(ProductCode("studio")!) == office.product.record.key)
    }
  }

  @Test func `licenses`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 7, model: .named) {
        $0 = LicenseTerms(
          seats: 7, overdraft: 2, leaseSeconds: 30, graceSeconds: 4, startsAt: Instant(seconds: 10),
          expiresAt: Instant(microseconds: 4_000_000_000_000_001), features: ["n": .number(1.5)],
          assignment: .firstClaim)
      }
      let terms = office.license.terms
      let license = try await store.units.read {
        try await $0.license(office.license.record.id, of: office.organization.record.key, locked: false)
      }
      #expect(
        license?.terms == terms && license?.model == .named && license?.productCode == office.product.code)
      #expect(license?.usage == LicenseUsage(held: 0, reserved: 0, limit: 9))
      try await office.change {
        $0.terms = LicenseTerms(seats: 1)
        $0.record.externalID = "order-1"
      }
      let page = try await store.units.read {
        try await $0.licenses(of: office.organization.record.key, LicenseFilter(), PageRequest())
      }
      #expect(page.next == nil && page.elements.map(\.terms) == [LicenseTerms(seats: 1)])
      #expect(
        page.elements.first?.record.externalID == "order-1" && page.elements.first?.record.revision == 2)
      let stranger = try await Office(in: store, slug: "other")
      let foreign = try await store.units.read {
        try await $0.license(office.license.record.id, of: stranger.organization.record.key, locked: false)
      }
      #expect(foreign == nil)
    }
  }

  @Test func `identities`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, people: 1)
      let organization = office.organization.record.key
      let external = ExternalName(group: "g", field: "san-uri", value: [0x75, 0xFF, 0x00])
      @Sendable func new(_ name: String, _ external: ExternalName? = nil) -> NewIdentity {
        NewIdentity(
          record: TestStore.newRecord(), organization: organization, name: IdentityName(name)!, role: .admin,
          attributes: ["os": "linux"], external: external)
      }
      let made = try await store.units.transact { unit in
        let made = try await unit.insert(new("a@b/c", external))
        // A name that is taken is told, and the transaction goes on.
        await conflict(.identityName) { _ = try await unit.insert(new("person-0")) }
        await conflict(.externalName) { _ = try await unit.insert(new("other", external)) }
        return made
      }
      #expect(made.external == external && made.role == .admin && made.attributes == ["os": "linux"])
      try await store.units.transact { unit in
        let found = try await unit.identity(.name(made.name), of: organization, locked: true)
        #expect(found?.record.id == made.record.id)
        #expect(
          try await unit.identity(.id(made.record.id), of: organization, locked: false)?.external == external)
        var gone = try #require(found)
        gone.status = .deleted
        _ = try await unit.update(gone)
        #expect(try await unit.identity(.name(made.name), of: organization, locked: false) == nil)
        #expect(try await unit.identity(named: external, of: organization)?.status == .deleted)
        await conflict(.externalName) { _ = try await unit.insert(new("back", external)) }
      }
    }
  }

  @Test func `tokens`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store)
      let organization = office.organization.record.key
      @Sendable func new(
        _ organization: Key<Organization>?, _ role: APIToken.Role, _ hash: UInt8, ttl: Int64? = nil
      ) -> NewAPIToken {
        NewAPIToken(
          record: TestStore.newRecord(), organization: organization, name: "t", role: role, hash: bytes(hash),
          ttlSeconds: ttl)
      }
      try await store.units.transact { unit in
        let op = try await unit.insert(new(nil, .operator, 1))
        let admin = try await unit.insert(new(organization, .admin, 2, ttl: 60))
        _ = try await unit.insert(new(organization, .viewer, 3, ttl: 0))
        #expect(try await unit.token(hash: bytes(1))?.slug == nil)
        #expect(try await unit.token(hash: bytes(2))?.slug == office.organization.slug)
        #expect(try await unit.token(hash: bytes(2))?.token.role == .admin)
        #expect(try await unit.token(hash: bytes(3)) == nil, "it ended as it was made")
        #expect(try await unit.token(hash: bytes(4)) == nil)
        #expect(try await unit.tokens(of: nil, PageRequest()).elements.map(\.record.id) == [op.record.id])
        #expect(try await unit.tokens(of: organization, PageRequest()).elements.count == 2)
        #expect(try await unit.token(op.record.id, of: organization) == nil)
        #expect(try await unit.token(op.record.id, of: nil)?.record.id == op.record.id)
        _ = try await unit.rotate(admin.record.key, hash: bytes(5))
        #expect(try await unit.token(hash: bytes(2)) == nil)
        #expect(try await unit.token(hash: bytes(5))?.token.record.id == admin.record.id)
        try await unit.revoke(admin.record.key)
        #expect(try await unit.token(hash: bytes(5)) == nil)
      }
    }
  }
}

func bytes(_ byte: UInt8) -> [UInt8] { Array(repeating: byte, count: 32) }

func isConflict(_ error: any Error, _ conflict: Conflict) -> Bool {
  if case StorageError.conflict(conflict) = error { true } else { false }
}

func conflict(
  _ conflict: Conflict, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Void
) async {
  do {
    try await body()
    Issue.record("no conflict", sourceLocation: sourceLocation)
  } catch {
    #expect(isConflict(error, conflict), "\(error)", sourceLocation: sourceLocation)
  }
}

func conflict(
  _ expected: Conflict, in store: TestStore, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: @Sendable (any IssuanceUnitOfWork) async throws -> Void
) async {
  await conflict(expected, sourceLocation: sourceLocation) { try await store.units.transact(body) }
}

func newAuthority(
  of organization: Organization, kind: Authority.Kind = .managed, status: Authority.Status, key: UInt8,
  subject: UInt8? = nil
) -> NewAuthority {
  var new = NewAuthority(
    record: TestStore.newRecord(), organization: organization.record.key, kind: kind, status: status)
  new.certificate = AnchorFacts(
    der: [key], spki: bytes(key), subject: [subject ?? key], subjectKeyIdentifier: [subject ?? key])
  if kind == .managed { new.sealedKey = [42] }
  return new
}
