import Issuance
import Licensing

/// Values of the domain as the database would give them.
enum Samples {
  static let time = Instant(seconds: 1_796_000_523)

  static func record<Entity>(_ key: Int64 = 1, externalID: String? = nil) -> Record<Entity> {
    Record(
      key: Key(key), id: Identifier(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0000 + UInt64(key)),
      externalID: externalID, metadata: ["crm": "4711"], createdAt: time, updatedAt: time.adding(seconds: 60),
      revision: 3)
  }

  static let organization = Organization(
    record: record(), slug: .example, name: "Acme", status: .active, contactURL: "mailto:it@acme.example",
    hostname: nil, renewAfterExpirySeconds: 2_592_000)

  static func license(
    seats: Int32 = 5, overdraft: Int32 = 0, held: Int64 = 0, features: Features = [:]
  ) -> License {
    License(
      record: record(), organization: Key(1), product: Key(1), productCode: .example, model: .floating,
      terms: LicenseTerms(seats: seats, overdraft: overdraft, expiresAt: time, features: features),
      status: .active,
      usage: LicenseUsage(held: held, reserved: 0, limit: Int64(seats) + Int64(overdraft)))
  }

  static func token(_ role: APIToken.Role, of organization: Slug? = nil) -> TokenHolder {
    TokenHolder(
      token: APIToken(
        record: record(), organization: organization.map { _ in Key(1) }, name: "ci", role: role,
        expiresAt: nil,
        lastUsedAt: nil), slug: organization)
  }

}
