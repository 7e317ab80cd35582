public import Licensing

/// A right to get certificates, presented as a bearer token of which only the SHA-256 is stored.
public struct Enrollment: Sendable {
  public var record: Record<Enrollment>
  public let organization: Key<Organization>
  /// Whose certificate it is for; nil: each use makes an identity.
  public let identity: Key<Identity>?
  public let identityName: IdentityName?
  /// A license of which the enrolling transaction assigns a seat.
  public let license: Identifier?
  public let uses: Int32
  public let used: Int32
  public let expiresAt: Instant
  public let isRevoked: Bool
  /// The latest use, for a client that lost the answer.
  public let lastUse: EnrollmentUse?

  public init(
    record: Record<Enrollment>, organization: Key<Organization>, identity: Key<Identity>?,
    identityName: IdentityName?, license: Identifier?, uses: Int32, used: Int32, expiresAt: Instant,
    isRevoked: Bool,
    lastUse: EnrollmentUse?
  ) {
    self.record = record
    self.organization = organization
    self.identity = identity
    self.identityName = identityName
    self.license = license
    self.uses = uses
    self.used = used
    self.expiresAt = expiresAt
    self.isRevoked = isRevoked
    self.lastUse = lastUse
  }
}

public struct EnrollmentUse: Sendable {
  /// SHA-256 of the SPKI that was certified.
  public let spki: [UInt8]
  public let certificate: Key<CertificateRecord>
  public let at: Instant

  public init(spki: [UInt8], certificate: Key<CertificateRecord>, at: Instant) {
    self.spki = spki
    self.certificate = certificate
    self.at = at
  }
}

public struct NewEnrollment: Sendable {
  public var record: NewRecord
  public var organization: Key<Organization>
  public var identity: Key<Identity>?
  public var license: Key<License>?
  public var uses: Int32
  public var ttlSeconds: Int64
  /// SHA-256 of the token.
  public var tokenHash: [UInt8]

  public init(
    record: NewRecord, organization: Key<Organization>, identity: Key<Identity>?, license: Key<License>?,
    uses: Int32,
    ttlSeconds: Int64, tokenHash: [UInt8]
  ) {
    self.record = record
    self.organization = organization
    self.identity = identity
    self.license = license
    self.uses = uses
    self.ttlSeconds = ttlSeconds
    self.tokenHash = tokenHash
  }
}

public protocol EnrollmentRepository: Sendable {
  /// By token hash, whatever its state, with its organization while that is not deleted; nil when unknown.
  func enrollment(tokenHash: [UInt8], locked: Bool) async throws(StorageError)
    -> (enrollment: Enrollment, organization: Organization)?
  func enrollment(_ id: Identifier, of organization: Key<Organization>) async throws(StorageError)
    -> Enrollment?
  func enrollments(of organization: Key<Organization>, _ page: PageRequest) async throws(StorageError)
    -> Page<Enrollment>
  func insert(_ new: NewEnrollment) async throws(StorageError) -> Enrollment
  /// Counts one use and remembers it as the last.
  func spend(_ enrollment: Key<Enrollment>, spki: [UInt8], certificate: Key<CertificateRecord>)
    async throws(StorageError)
  func revoke(_ enrollment: Key<Enrollment>) async throws(StorageError)
  /// The certificate of a last use.
  func certificate(_ key: Key<CertificateRecord>) async throws(StorageError) -> CertificateRecord?
}
