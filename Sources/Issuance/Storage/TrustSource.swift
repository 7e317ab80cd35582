public import Licensing

/// Where a server reads whom to trust, and hears what changed.
public protocol TrustSource: Sendable {
  /// Everything that is judged in memory, and the cursor of the same database snapshot.
  func snapshot() async throws(StorageError) -> TrustSnapshot
  /// What committed since the cursor; a change may come more than once, and none is missed.
  func changes(since cursor: ChangeCursor) async throws(StorageError) -> ChangeBatch
  /// An organization (deleted ones too) with all its authorities, for applying a change.
  func organization(_ key: Key<Organization>) async throws(StorageError) -> OrganizationTrust?
  /// Identities, tombstones too; whom there is not, is not in the answer.
  func identities(_ wanted: [TenantKey<Identity>]) async throws(StorageError) -> [Identity]
  /// The status of certificates; what there is not, is not in the answer.
  func status(ofCertificates wanted: [TenantKey<CertificateRecord>])
    async throws(StorageError)
    -> [StoredStatus]
  /// What the lists of an external authority name by these serial numbers, whichever of its CAs signed them.
  func listings(of serialNumbers: [String], under authority: Key<Authority>) async throws(StorageError)
    -> [Listing]
  /// The rows of certificates under an authority, by fingerprint; what there is not, is not in the answer.
  func standings(ofCertificates fingerprints: [[UInt8]], under authority: Key<Authority>)
    async throws(StorageError) -> [[UInt8]: CertificateStanding]
}

/// A row of a tenant, by its whole primary key.
public struct TenantKey<Entity>: Sendable, Hashable {
  public let organization: Key<Organization>
  public let key: Key<Entity>

  public init(_ organization: Key<Organization>, _ key: Key<Entity>) {
    self.organization = organization
    self.key = key
  }
}

/// The status of a certificate, and how one that nobody has asked the database about is known: by authority and
/// fingerprint.
public struct StoredStatus: Sendable {
  public let certificate: Key<CertificateRecord>
  public let status: CertificateRecord.Status
  public let authority: Key<Authority>
  /// SHA-256 of the DER.
  public let fingerprint: [UInt8]

  public init(
    certificate: Key<CertificateRecord>, status: CertificateRecord.Status, authority: Key<Authority>,
    fingerprint: [UInt8]
  ) {
    self.certificate = certificate
    self.status = status
    self.authority = authority
    self.fingerprint = fingerprint
  }
}

/// A point in the history of changes: every transaction below it has been seen.
public struct ChangeCursor: Sendable, Hashable {
  public let transaction: UInt64
  /// When the database's server process started: another one has another history.
  public let server: Instant
  /// The database's clock when it answered.
  public let at: Instant

  public init(transaction: UInt64, server: Instant, at: Instant) {
    self.transaction = transaction
    self.server = server
    self.at = at
  }

  /// Whether whoever stood at `earlier` has missed nothing by reading on to this one.
  ///
  /// Transactions are numbered by one server: one that took over (behind a proxy that tells nobody) may have begun
  /// further back. Changes are kept for a day, and a machine that slept does not know how long.
  public func follows(_ earlier: ChangeCursor) -> Bool {
    server == earlier.server && transaction >= earlier.transaction
      && at.microseconds(since: earlier.at) < Self.longestGap
  }

  private static let longestGap: Int64 = 3_600_000_000
}

public struct ChangeBatch: Sendable {
  public let changes: [Change]
  public let cursor: ChangeCursor

  public init(changes: [Change], cursor: ChangeCursor) {
    self.changes = changes
    self.cursor = cursor
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

  public init(organizations: [OrganizationTrust], cursor: ChangeCursor) {
    self.organizations = organizations
    self.cursor = cursor
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
