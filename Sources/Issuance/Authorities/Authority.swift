public import Licensing

/// A certificate authority that one organization trusts.
public struct Authority: Sendable {
  /// Who holds the CA key: this service, the organization, or this service under the organization's root.
  public enum Kind: Int16, Sendable, CaseIterable {
    case managed = 1
    case external, subordinate
  }
  /// `pending`: not proven, never matched. `retired`: verifies, issues no more. `revoked` and `deleted` refuse whom they signed.
  public enum Status: Int16, Sendable, CaseIterable {
    case pending = 1
    case active, retired, revoked, deleted
  }

  public var record: Record<Authority>
  public let organization: Key<Organization>
  public let kind: Kind
  public var status: Status
  public var name: String?
  /// `P-256`, `P-384`, `RSA-3072` or `RSA-4096`; nil for an external one.
  public let keyType: String?
  /// The CA certificate, DER; nil while a subordinate one waits for it.
  public var certificate: [UInt8]?
  /// What the server adds when a client sends its leaf alone, DER.
  public var intermediates: [[UInt8]]
  /// The CA's private key, sealed; nil for an external one.
  public let sealedKey: [UInt8]?
  /// Authorities of one group name the same identities.
  public var group: String
  public var mapping: [MappingRule]
  public var match: MatchRule?
  public var autoProvision: Bool
  /// Whether certificates that state no extended key usage at all are taken for clients'; false unless an external CA
  /// never states one.
  public var allowsMissingClientAuth: Bool
  /// The subject CN that a proof certificate must carry; nil once proven.
  public var challenge: String?
  public var challengeExpiresAt: Instant?
  /// SHA-256 of the proof certificate, which can never authenticate.
  public var proofFingerprint: [UInt8]?
  /// What is odd but harmless about the anchor.
  public var warnings: [String]
  /// The PKCS#10 request of a subordinate one, DER: what the organization's root signs.
  public let request: [UInt8]?
  /// Where the key is when the service does not keep it: a PKCS#11 URI (RFC 7512).
  public let keyURI: String?

  public init(
    record: Record<Authority>, organization: Key<Organization>, kind: Kind, status: Status, name: String?,
    keyType: String?, certificate: [UInt8]?, intermediates: [[UInt8]], sealedKey: [UInt8]?, group: String,
    mapping: [MappingRule], match: MatchRule?, autoProvision: Bool, challenge: String?,
    challengeExpiresAt: Instant?,
    proofFingerprint: [UInt8]?, warnings: [String], request: [UInt8]? = nil,
    keyURI: String? = nil, allowsMissingClientAuth: Bool = false
  ) {
    self.record = record
    self.organization = organization
    self.kind = kind
    self.status = status
    self.name = name
    self.keyType = keyType
    self.certificate = certificate
    self.intermediates = intermediates
    self.sealedKey = sealedKey
    self.group = group
    self.mapping = mapping
    self.match = match
    self.autoProvision = autoProvision
    self.allowsMissingClientAuth = allowsMissingClientAuth
    self.challenge = challenge
    self.challengeExpiresAt = challengeExpiresAt
    self.proofFingerprint = proofFingerprint
    self.warnings = warnings
    self.request = request
    self.keyURI = keyURI
  }
}

/// Where in a certificate an external CA puts the identity's name.
public struct MappingRule: Sendable, Hashable {
  public enum Field: String, Sendable, CaseIterable {
    case sanURI = "san-uri"
    case sanEmail = "san-email"
    case sanDNS = "san-dns"
    case subjectSerial = "subject-serial"
    case subjectCN = "subject-cn"
    case spki
  }

  public let field: Field
  /// Values of the field without this prefix do not count as present.
  public let prefix: String?

  public init(field: Field, prefix: String? = nil) {
    self.field = field
    self.prefix = prefix
  }

  /// What an external authority gets when it names nothing.
  public static let standard = [MappingRule(field: .sanURI), MappingRule(field: .spki)]
}

/// Which certificates of an external CA are admitted at all; every stated condition must hold.
public struct MatchRule: Sendable, Hashable {
  /// Extended key usage OIDs that must all be present, besides clientAuth.
  public let extendedKeyUsages: [String]
  /// Certificate policy OIDs that must all be present.
  public let policies: [String]
  /// An organizational unit that the subject must name.
  public let organizationalUnit: String?
  /// A prefix that some URI SAN must have.
  public let uriPrefix: String?

  public init(
    extendedKeyUsages: [String] = [], policies: [String] = [], organizationalUnit: String? = nil,
    uriPrefix: String? = nil
  ) {
    self.extendedKeyUsages = extendedKeyUsages
    self.policies = policies
    self.organizationalUnit = organizationalUnit
    self.uriPrefix = uriPrefix
  }
}

public struct NewAuthority: Sendable {
  public var record: NewRecord
  public var organization: Key<Organization>
  public var kind: Authority.Kind
  public var status: Authority.Status
  public var name: String?
  public var keyType: String?
  public var certificate: AnchorFacts?
  public var intermediates: [[UInt8]] = []
  public var sealedKey: [UInt8]?
  /// Nil: the authority's own id.
  public var group: String?
  public var mapping: [MappingRule] = []
  public var match: MatchRule?
  public var autoProvision = false
  public var allowsMissingClientAuth = false
  public var challenge: String?
  public var challengeTTLSeconds: Int64?
  public var warnings: [String] = []
  public var request: [UInt8]?
  public var keyURI: String?

  public init(
    record: NewRecord, organization: Key<Organization>, kind: Authority.Kind, status: Authority.Status
  ) {
    self.record = record
    self.organization = organization
    self.kind = kind
    self.status = status
  }
}

/// What the database indexes of a CA certificate.
public struct AnchorFacts: Sendable {
  public let der: [UInt8]
  /// SHA-256 of the subject public key info: proven by one organization only.
  public let spki: [UInt8]
  /// DER of the subject name.
  public let subject: [UInt8]
  public let subjectKeyIdentifier: [UInt8]

  public init(der: [UInt8], spki: [UInt8], subject: [UInt8], subjectKeyIdentifier: [UInt8]) {
    self.der = der
    self.spki = spki
    self.subject = subject
    self.subjectKeyIdentifier = subjectKeyIdentifier
  }
}
