/// What narrows a list of organizations; nil lets everything through.
public struct OrganizationFilter: Sendable {
  /// Part of the slug, the name or the external id, in any case.
  public var text: String?
  public var status: Organization.Status?
  public var externalID: String?
  /// This one alone.
  public var slug: Slug?

  public init() {}
}

public struct ProductFilter: Sendable {
  /// Part of the code, the name or the external id, in any case.
  public var text: String?
  public var externalID: String?

  public init() {}
}

public struct LicenseFilter: Sendable {
  public var product: ProductCode?
  public var status: License.Status?
  public var externalID: String?
  /// Those that end before this time; what never ends is not among them.
  public var expiresBefore: Instant?

  public init() {}
}

public struct IdentityFilter: Sendable {
  /// Part of the name or the external id, in any case.
  public var text: String?
  public var status: Identity.Status?
  public var role: Identity.Role?
  public var externalID: String?
  /// Those whose last living certificate ends before this time; who has none is not among them.
  public var certificateExpiresBefore: Instant?
  /// Those that were last seen before this time, or made before it and never seen.
  public var notSeenSince: Instant?

  public init() {}
}
