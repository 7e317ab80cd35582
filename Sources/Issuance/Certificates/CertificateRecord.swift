public import Licensing

/// A certificate the service issued, or has seen from an external CA.
public struct CertificateRecord: Sendable {
  public enum Status: Int16, Sendable, CaseIterable {
    case active = 1
    case revoked
  }
  public enum Source: Int16, Sendable, CaseIterable {
    case issued = 1
    case seen
  }

  public let key: Key<CertificateRecord>
  public let organization: Key<Organization>
  public let authority: Key<Authority>
  public let authorityID: Identifier
  public let identity: Key<Identity>
  public let identityID: Identifier
  public let facts: CertificateFacts
  public let source: Source
  public let status: Status
  public let revokedAt: Instant?
  public let reason: RevocationReason?
  public let createdAt: Instant

  public init(
    key: Key<CertificateRecord>, organization: Key<Organization>, authority: Key<Authority>,
    authorityID: Identifier,
    identity: Key<Identity>, identityID: Identifier, facts: CertificateFacts, source: Source, status: Status,
    revokedAt: Instant?, reason: RevocationReason?, createdAt: Instant
  ) {
    self.key = key
    self.organization = organization
    self.authority = authority
    self.authorityID = authorityID
    self.identity = identity
    self.identityID = identityID
    self.facts = facts
    self.source = source
    self.status = status
    self.revokedAt = revokedAt
    self.reason = reason
    self.createdAt = createdAt
  }
}

/// What the database keeps of a certificate.
public struct CertificateFacts: Sendable {
  public let der: [UInt8]
  /// Lower-case hex of the serial's octets, two digits each.
  public let serialNumber: String
  /// SHA-256 of the DER.
  public let fingerprint: [UInt8]
  /// SHA-256 of the subject public key info.
  public let spki: [UInt8]
  public let notBefore: Instant
  public let notAfter: Instant

  public init(
    der: [UInt8], serialNumber: String, fingerprint: [UInt8], spki: [UInt8], notBefore: Instant,
    notAfter: Instant
  ) {
    self.der = der
    self.serialNumber = serialNumber
    self.fingerprint = fingerprint
    self.spki = spki
    self.notBefore = notBefore
    self.notAfter = notAfter
  }
}

/// Why a certificate was revoked (RFC 5280 §5.3.1), as far as an admin may say.
public enum RevocationReason: Int16, Sendable, CaseIterable {
  case unspecified = 0
  case keyCompromise = 1
  case affiliationChanged = 3
  case superseded = 4
  case cessationOfOperation = 5
  case certificateHold = 6
  case privilegeWithdrawn = 9

  /// The name in RFC 5280.
  public var name: String {
    switch self {
    case .unspecified: "unspecified"
    case .keyCompromise: "keyCompromise"
    case .affiliationChanged: "affiliationChanged"
    case .superseded: "superseded"
    case .cessationOfOperation: "cessationOfOperation"
    case .certificateHold: "certificateHold"
    case .privilegeWithdrawn: "privilegeWithdrawn"
    }
  }

  public init?(name: String) {
    guard let reason = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = reason
  }
}
