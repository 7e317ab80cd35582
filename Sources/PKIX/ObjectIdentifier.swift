/// An object identifier in dotted decimal.
public struct ObjectIdentifier: Sendable, Hashable, CustomStringConvertible {
  /// Such as `1.3.6.1.5.5.7.3.2`.
  public let dotted: String

  /// The identifier that a text in dotted decimal names; the text is not checked.
  public init(_ dotted: String) { self.dotted = dotted }

  init(_ object: OpaquePointer?) { unsafe dotted = ASN1Text.dotted(object) }

  public var description: String { dotted }

  /// anyExtendedKeyUsage (RFC 5280 section 4.2.1.12).
  public static let anyExtendedKeyUsage = ObjectIdentifier("2.5.29.37.0")
  /// TLS server authentication.
  public static let serverAuth = ObjectIdentifier("1.3.6.1.5.5.7.3.1")
  /// TLS client authentication.
  public static let clientAuth = ObjectIdentifier("1.3.6.1.5.5.7.3.2")
}
