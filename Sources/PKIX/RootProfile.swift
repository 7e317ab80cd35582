/// What a self-signed authority's certificate says.
public struct RootProfile: Sendable, Hashable {
  /// The authority's name, at most 64 characters.
  public var commonName: String
  /// The one host whose URIs it may certify; nil leaves it unconstrained (only for a server's own CA).
  public var permittedURIHost: String?
  /// Seconds from now to `notAfter`: ten years.
  public var lifetime: Int64 = 3652 * 86_400

  /// A profile of ten years.
  public init(commonName: String, permittedURIHost: String?) {
    self.commonName = commonName
    self.permittedURIHost = permittedURIHost
  }
}
