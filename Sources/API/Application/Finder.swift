import HTTP
public import Issuance
public import Licensing

/// Finds what a path names; nil when there is none, or the caller may not know of it.
public struct Finder<Target: Sendable>: Sendable {
  let find:
    @Sendable (_ exchange: Exchange, _ unit: any IssuanceUnitOfWork, _ locked: Bool) async throws -> Target?

  public init(
    _ find:
      @escaping @Sendable (_ exchange: Exchange, _ unit: any IssuanceUnitOfWork, _ locked: Bool) async throws
      -> Target?
  ) {
    self.find = find
  }
}

/// A resource of an organization, with the organization.
public struct Owned<Resource: Sendable>: Sendable {
  public let organization: Organization
  public let resource: Resource

  public init(_ resource: Resource, of organization: Organization) {
    self.organization = organization
    self.resource = resource
  }
}

extension Finder {
  /// What `{org}` names and, within it, what `find` finds there.
  public static func owned<Resource>(
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
  /// What `{org}` names, if it is the caller's own or the caller is an operator.
  public static let organization = Finder { exchange, unit, locked in
    guard let slug = Slug(exchange.parameters["org"]), exchange.caller.mayReach(slug) else { return nil }
    return try await unit.organization(slug, locked: locked)
  }
}

extension Finder<Void> {
  /// For routes that name nothing.
  public static let nothing = Finder { _, _, _ in () }
}
