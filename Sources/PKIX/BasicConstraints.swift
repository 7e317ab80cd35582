/// The basic constraints extension (RFC 5280 section 4.2.1.9).
public struct BasicConstraints: Sendable, Hashable {
  /// Whether the key may sign certificates.
  public let isAuthority: Bool
  /// How many intermediate certificates may follow; nil for any number.
  public let pathLength: Int?

  /// The extension's two fields.
  public init(isAuthority: Bool, pathLength: Int? = nil) {
    self.isAuthority = isAuthority
    self.pathLength = pathLength
  }
}
