/// What an organization's devices get when this service issues their certificates.
public struct CertificateTerms: Sendable, Hashable {
  /// What a certificate's subject says; whom it speaks for stands in its alternative name in any case.
  public enum Subject: Int16, Sendable, CaseIterable {
    /// The identity's name as the common name, for people who read certificates.
    case identityName = 1
    /// Nothing.
    case empty
  }

  /// How long a certificate is good, in seconds; its authority's own end cuts it short.
  public var validitySeconds: Int64
  /// How long before its end a device should renew, in seconds; nil: a third of the certificate's life.
  public var renewBeforeSeconds: Int64?
  /// How long a certificate may renew itself again while its successor was never used, in seconds.
  public var overlapSeconds: Int64
  /// Which kinds of keys are certified, as `P-256` or `RSA-2048`; nil: all that are strong enough.
  public var keyTypes: [String]?
  public var subject: Subject

  public init(
    validitySeconds: Int64 = 2_592_000, renewBeforeSeconds: Int64? = nil, overlapSeconds: Int64 = 2_592_000,
    keyTypes: [String]? = nil, subject: Subject = .identityName
  ) {
    self.validitySeconds = validitySeconds
    self.renewBeforeSeconds = renewBeforeSeconds
    self.overlapSeconds = overlapSeconds
    self.keyTypes = keyTypes
    self.subject = subject
  }

  /// When a device should renew a certificate of these times (seconds since 1970): never before it begins.
  public func renewal(notBefore: Int64, notAfter: Int64) -> Instant {
    let life = notAfter - notBefore
    return Instant(seconds: notAfter - min(life, renewBeforeSeconds ?? life / 3))
  }
}
