import HTTP
import Issuance
import Licensing

/// Finds what a path names; nil when there is none, or the caller may not know of it.
struct Finder<Target: Sendable>: Sendable {
  let find:
    @Sendable (_ exchange: Exchange, _ unit: any IssuanceUnitOfWork, _ locked: Bool) async throws -> Target?

  init(
    _ find:
      @escaping @Sendable (_ exchange: Exchange, _ unit: any IssuanceUnitOfWork, _ locked: Bool) async throws
      -> Target?
  ) {
    self.find = find
  }
}

/// What belongs to an organization, which tells its people where to turn to.
protocol OfOrganization {
  var contactURL: String? { get }
}

extension Organization: OfOrganization {}

/// A resource of an organization, with the organization.
struct Owned<Resource: Sendable>: Sendable, OfOrganization {
  let organization: Organization
  let resource: Resource

  var contactURL: String? { organization.contactURL }

  init(_ resource: Resource, of organization: Organization) {
    self.organization = organization
    self.resource = resource
  }
}

extension Finder {
  /// What `{org}` names and, within it, what `find` finds there.
  static func owned<Resource>(
    _ find:
      @escaping @Sendable (
        _ organization: Organization, _ exchange: Exchange, _ unit: any IssuanceUnitOfWork, _ locked: Bool
      ) async throws -> Resource?
  ) -> Finder where Target == Owned<Resource> {
    Finder { exchange, unit, locked in
      guard let organization = try await Finder<Organization>.organization.find(exchange, unit, false),
        let resource = try await find(organization, exchange, unit, locked)
      else { return nil }
      return Owned(resource, of: organization)
    }
  }
}

extension Finder<Organization> {
  /// What `{org}` names, if it is the caller's own or the caller is an operator; for what is within it, so never locked.
  static let organization = Finder { exchange, unit, _ in
    try await organization(exchange, unit, locked: false)
  }

  /// The same when the organization itself is what the path is about.
  static let organizationItself = Finder { exchange, unit, locked in
    try await organization(exchange, unit, locked: locked)
  }

  private static func organization(
    _ exchange: Exchange, _ unit: any IssuanceUnitOfWork, locked: Bool
  ) async throws -> Organization? {
    guard let slug = Slug(exchange.parameters["org"]), exchange.caller.mayReach(slug) else { return nil }
    guard let organization = try await unit.organization(slug, locked: locked) else { return nil }
    // The second wall, should a statement forget whose rows it is about.
    try await unit.confine(to: organization.record.key)
    return organization
  }
}

extension Finder<Void> {
  /// For routes that name nothing.
  static let nothing = Finder { _, _, _ in () }
}
