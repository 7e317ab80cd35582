public import Licensing

/// How a path addresses a certificate.
public enum CertificateReference: Sendable, Hashable {
  /// SHA-256 of the DER, 32 bytes.
  case fingerprint([UInt8])
  /// Lower-case hex without leading zero octets.
  case serialNumber(String)
}

/// By whose right a certificate was issued.
public enum CertificateOrigin: Sendable {
  case renewal(of: Key<CertificateRecord>)
  case enrollment(Key<Enrollment>, Identifier)
}

/// A certificate that was issued by the right of another.
public struct Successor: Sendable {
  public let key: Key<CertificateRecord>
  public let status: CertificateRecord.Status
  public let spki: [UInt8]
  public let notAfter: Instant
  /// When it was first presented; nil: never.
  public let usedAt: Instant?
  public let createdAt: Instant

  public init(
    key: Key<CertificateRecord>, status: CertificateRecord.Status, spki: [UInt8], notAfter: Instant,
    usedAt: Instant?, createdAt: Instant
  ) {
    self.key = key
    self.status = status
    self.spki = spki
    self.notAfter = notAfter
    self.usedAt = usedAt
    self.createdAt = createdAt
  }
}

/// What is known of a public key before it is certified.
public struct KeyHistory: Sendable {
  /// The identity of the organization that has, or had, a certificate over it.
  public let holder: Key<Identity>?
  /// Somebody's certificate over it was revoked because others may have the key.
  public let isCompromised: Bool
  /// It is a CA's key, which signs and never authenticates.
  public let isAuthority: Bool

  public init(holder: Key<Identity>?, isCompromised: Bool, isAuthority: Bool) {
    self.holder = holder
    self.isCompromised = isCompromised
    self.isAuthority = isAuthority
  }
}

public protocol CertificateRepository: Sendable {
  /// Conflicts: `.certificateSerial` when the authority has used the serial; `.deviceKey` when another identity of the
  /// organization has a certificate over the key of one that is issued here.
  func insert(
    _ facts: CertificateFacts, authority: Authority, identity: Key<Identity>, origin: CertificateOrigin?
  ) async throws(StorageError) -> CertificateRecord
  /// All matches within the organization: a serial may be used by several authorities.
  func certificates(_ reference: CertificateReference, of organization: Key<Organization>, locked: Bool)
    async throws(StorageError) -> [CertificateRecord]
  func certificates(of identity: Key<Identity>, organization: Key<Organization>, _ page: PageRequest)
    async throws(StorageError) -> Page<CertificateRecord>
  func revoke(
    _ certificate: Key<CertificateRecord>, organization: Key<Organization>, reason: RevocationReason)
    async throws(StorageError)
  /// What is known of a public key (SHA-256 of its SPKI).
  func history(ofKey spki: [UInt8], organization: Key<Organization>) async throws(StorageError) -> KeyHistory
  /// What was issued by the right of a certificate, oldest first; it stays as it is until the transaction ends.
  func successors(of certificate: Key<CertificateRecord>, organization: Key<Organization>)
    async throws(StorageError) -> [Successor]
  /// The newest certificate over this key that an enrollment brought.
  func certificate(ofKey spki: [UInt8], enrolledBy enrollment: Key<Enrollment>) async throws(StorageError)
    -> CertificateRecord?
  /// Notes that successors were presented; those that are revoked are not in the answer.
  func use(_ certificates: [Key<CertificateRecord>], organization: Key<Organization>)
    async throws(StorageError) -> [Key<CertificateRecord>]
  /// An identity, tombstones too, that an external CA names so.
  func identity(named external: ExternalName, of organization: Key<Organization>) async throws(StorageError)
    -> Identity?

  // What an external CA signed comes by the hundred, and is read and written together.

  /// What there is of each, in their order.
  func known(_ seen: [SeenCertificate], of authority: Authority) async throws(StorageError)
    -> [KnownCertificate]
  /// Which of these names somebody has.
  func taken(_ names: [IdentityName], of organization: Key<Organization>) async throws(StorageError)
    -> Set<IdentityName>
  /// Makes identities that an external CA named, and says so in the audit trail. Conflict: `.externalName` or
  /// `.identityName` where one of them is there by now.
  func provision(_ new: [NewIdentity], of organization: Key<Organization>) async throws(StorageError)
    -> [Identity]
  /// Inserts certificates that were seen, each for its identity, and judges them by the authority's lists: their keys and
  /// status, in their order. Conflict: `.certificateSerial` where one of them is there by now.
  func insert(_ seen: [(facts: CertificateFacts, identity: Key<Identity>)], authority: Authority)
    async throws(StorageError) -> [(key: Key<CertificateRecord>, status: CertificateRecord.Status)]
}
