internal import API
internal import Cryptography
internal import Issuance
internal import Licensing
internal import Reactor
internal import Store

extension Maintenance {
  /// What a newcomer can try at once: one organization with a CA, one product, two seats.
  public struct Demo: Sendable {
    public let organization = "acme"
    public let product = "studio"
    /// A fresh enrollment token, good for one device.
    public let enrollmentToken: String
  }

  /// Makes the demo's organization, CA, product and license where they are missing, and a fresh enrollment.
  public func makeDemo(for configuration: Configuration) async throws(StartFailure) -> Demo {
    let keys = try configuration.authorityKeys()
    let founding = AuthorityFounding(
      keys: keys,
      policy: IssuancePolicy(baseDomain: configuration.baseDomain, publicURL: configuration.publicURL),
      clock: { WallClock.seconds })
    return try await withDatabase { database in
      let token = try BearerToken(.enrollment, random: RandomBytes.make(32))
      try await StoreUnitsOfWork(database).transact { work in
        let organization = try await Self.organization(in: work, founding)
        try await Self.license(for: organization, in: work)
        let enrollment = try await work.insert(
          NewEnrollment(
            record: NewRecord(id: try IdentifierSource.make()), organization: organization.record.key,
            identity: nil,
            license: nil, uses: 1, ttlSeconds: 86_400, tokenHash: token.hash))
        try await work.record(
          AuditEvent(
            "enrollment.created", organization: organization.record.key, actor: .machine,
            detail: ["enrollment": enrollment.record.id.description]))
      }
      return Demo(enrollmentToken: token.secret)
    }
  }

  private static func organization(in work: any IssuanceUnitOfWork, _ founding: AuthorityFounding)
    async throws
    -> Organization
  {
    guard let slug = Slug("acme") else { throw StartFailure("the demo's organization has no slug") }
    if let there = try await work.organization(slug, locked: true) { return there }
    let organization = try await work.insert(
      NewOrganization(record: NewRecord(id: try IdentifierSource.make()), slug: slug, name: "Acme"))
    let authority = try await work.insert(
      try await founding.found(
        .made(.p256), named: nil, record: NewRecord(id: try IdentifierSource.make()), for: organization))
    try await work.record(
      AuditEvent("organization.created", organization: organization.record.key, actor: .machine))
    try await work.record(
      AuditEvent(
        "authority.created", organization: organization.record.key, actor: .machine,
        detail: ["authority": authority.record.id.description]))
    try await work.announce(.organization(organization.record.key))
    return organization
  }

  private static func license(for organization: Organization, in work: any IssuanceUnitOfWork) async throws {
    guard let code = ProductCode("studio") else { throw StartFailure("the demo's product has no code") }
    let product: Product
    if let there = try await work.product(code, locked: true) {
      product = there
    } else {
      product = try await work.insert(
        NewProduct(record: NewRecord(id: try IdentifierSource.make()), code: code, name: "Studio"))
    }
    let licenses = try await work.licenses(
      of: organization.record.key, LicenseFilter(), PageRequest(limit: 500))
    if licenses.elements.contains(where: { $0.product == product.record.key }) { return }
    let license = try await work.insert(
      NewLicense(
        record: NewRecord(id: try IdentifierSource.make()), organization: organization.record.key,
        product: product.record.key, model: .floating, terms: LicenseTerms(seats: 2)))
    try await work.record(
      AuditEvent(
        "license.created", organization: organization.record.key, actor: .machine, license: license.record.key
      ))
    try await work.announce(.license(organization.record.key, product.record.key))
  }
}
