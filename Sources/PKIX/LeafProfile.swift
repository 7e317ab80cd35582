/// What a device's certificate says; nothing in it comes from the request but the key.
public struct LeafProfile: Sendable, Hashable {
  /// For people to read. Longer than 64 characters, or nil: the subject stays empty and the alternative name is critical.
  public var commonName: String?
  /// The identity: the one URI in the certificate, such as `spiffe://acme.example/laptop-7`.
  public var uri: String
  /// Seconds from now to `notAfter`; the authority's own end cuts it short.
  public var lifetime: Int64
  /// The shortest lifetime, in seconds, that is still worth a certificate.
  public var minimumLifetime: Int64 = 3600
  /// Where the authority's revocation list is.
  public var crlURL: String?
  /// Where the authority answers OCSP.
  public var ocspURL: String?
  /// Where the authority's certificate is.
  public var issuerURL: String?

  /// A profile without URLs.
  public init(commonName: String?, uri: String, lifetime: Int64) {
    self.commonName = commonName
    self.uri = uri
    self.lifetime = lifetime
  }
}
