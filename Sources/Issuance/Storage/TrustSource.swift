public import Licensing

/// Where a server reads whom to trust, and hears what changed.
public protocol TrustSource: Sendable {
  /// Everything that is judged in memory, and the cursor of the same database snapshot.
  func snapshot() async throws(StorageError) -> TrustSnapshot
  /// What committed since the cursor; a change may come more than once, and none is missed.
  func changes(since cursor: ChangeCursor) async throws(StorageError) -> ChangeBatch
  /// An organization (deleted ones too) with all its authorities, for applying a change.
  func organization(_ key: Key<Organization>) async throws(StorageError) -> OrganizationTrust?
  /// An identity, tombstones too; nil when there is none.
  func identity(_ key: Key<Identity>, of organization: Key<Organization>) async throws(StorageError)
    -> Identity?
  /// The status of a certificate; nil when there is none.
  func status(ofCertificate key: Key<CertificateRecord>, organization: Key<Organization>)
    async throws(StorageError)
    -> CertificateRecord.Status?
  /// The row of a certificate by fingerprint under an authority; nil when there is none.
  func standing(ofCertificate fingerprint: [UInt8], authority: Key<Authority>) async throws(StorageError)
    -> CertificateStanding?
}

/// A point in the history of changes: every transaction below it has been seen.
public struct ChangeCursor: Sendable, Hashable {
  public let transaction: UInt64
  public init(transaction: UInt64) { self.transaction = transaction }
}

public struct ChangeBatch: Sendable {
  public let changes: [Change]
  public let cursor: ChangeCursor
  /// The database's clock when it answered.
  public let at: Instant

  public init(changes: [Change], cursor: ChangeCursor, at: Instant) {
    self.changes = changes
    self.cursor = cursor
    self.at = at
  }
}

/// An organization with the authorities that decide whom it admits, deleted ones included.
public struct OrganizationTrust: Sendable {
  public let organization: Organization
  public let authorities: [Authority]

  public init(organization: Organization, authorities: [Authority]) {
    self.organization = organization
    self.authorities = authorities
  }
}

public struct TrustSnapshot: Sendable {
  public let organizations: [OrganizationTrust]
  public let cursor: ChangeCursor
  public let at: Instant

  public init(organizations: [OrganizationTrust], cursor: ChangeCursor, at: Instant) {
    self.organizations = organizations
    self.cursor = cursor
    self.at = at
  }
}

/// Whom a certificate speaks for, and whether both still stand.
public struct CertificateStanding: Sendable {
  public let certificate: Key<CertificateRecord>
  public let status: CertificateRecord.Status
  public let identity: Identity
  /// It was issued by the right of another certificate, which ends when this one is first used.
  public let isUnusedSuccessor: Bool

  public init(
    certificate: Key<CertificateRecord>, status: CertificateRecord.Status, identity: Identity,
    isUnusedSuccessor: Bool = false
  ) {
    self.certificate = certificate
    self.status = status
    self.identity = identity
    self.isUnusedSuccessor = isUnusedSuccessor
  }
}
