/// What the certificate of Usher's own TLS listener says, where Usher makes it itself.
public struct ServerProfile: Sendable, Hashable {
  /// Host names; the first one is the common name too.
  public var dnsNames: [String]
  /// Addresses of 4 or 16 bytes.
  public var ipAddresses: [[UInt8]]
  /// Seconds from now to `notAfter`; Apple's clients refuse more than 398 days.
  public var lifetime: Int64 = 397 * 86_400

  /// A profile of 397 days.
  public init(dnsNames: [String], ipAddresses: [[UInt8]] = []) {
    self.dnsNames = dnsNames
    self.ipAddresses = ipAddresses
  }
}
