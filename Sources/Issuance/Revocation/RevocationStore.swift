public import Licensing

/// What the database knows of revocation, for those who sign lists and answers.
public protocol RevocationStore: Sendable {
  /// Authorities whose list is missing, lacks a revocation, or has half its life behind it at `now`.
  ///
  /// - Parameter organization: nil: of all.
  func dueLists(of organization: Key<Organization>?, at now: Instant) async throws(StorageError)
    -> [DueRevocationList]
  /// Renews a list in one transaction, if nobody else is at it and it is still due; whether it was.
  ///
  /// - Parameters:
  ///   - keptFrom: certificates that expired before it, and before the last list, are left out.
  ///   - sign: makes the list.
  func renew(
    _ due: DueRevocationList, at now: Instant, keptFrom: Instant,
    _ sign: @Sendable (RevocationListDraft) async throws -> SignedRevocationList
  ) async throws -> Bool
  /// Notes on external authorities that a list of theirs is past its end, and returns those on which it is news.
  func warnOfStaleLists(at now: Instant) async throws(StorageError) -> [Identifier]
  /// The list of an authority of ours, for anyone; nil when there is none. Its bytes only if it is not `known`.
  func publishedList(of authority: Identifier, unless known: RevocationListVersion?)
    async throws(StorageError)
    -> PublishedRevocationList?
  /// What is known of these serial numbers of an authority of ours; nil when there is no such authority.
  func statuses(of serialNumbers: [String], under authority: Identifier) async throws(StorageError)
    -> [IssuedStatus]?
  /// An authority of ours, whichever organization it belongs to.
  func signingAuthority(_ authority: Identifier) async throws(StorageError) -> SigningAuthority?
}

/// An authority of ours, and whose it is.
public struct SigningAuthority: Sendable {
  public let authority: Authority
  public let organization: Identifier

  public init(authority: Authority, organization: Identifier) {
    self.authority = authority
    self.organization = organization
  }
}

/// An authority whose list is to be renewed.
public struct DueRevocationList: Sendable {
  public let organization: Key<Organization>
  public let authority: Key<Authority>
  public let id: Identifier
  /// The last one was made only just now: one more may wait for what else is revoked.
  public let isFresh: Bool

  public init(organization: Key<Organization>, authority: Key<Authority>, id: Identifier, isFresh: Bool) {
    self.organization = organization
    self.authority = authority
    self.id = id
    self.isFresh = isFresh
  }
}

/// What goes into a list.
public struct RevocationListDraft: Sendable {
  public let signing: SigningAuthority
  public let number: Int64
  public let certificates: [IssuedStatus]

  public init(signing: SigningAuthority, number: Int64, certificates: [IssuedStatus]) {
    self.signing = signing
    self.number = number
    self.certificates = certificates
  }
}

/// A list as it is stored.
public struct SignedRevocationList: Sendable {
  public let der: [UInt8]
  public let thisUpdate: Instant
  public let nextUpdate: Instant

  public init(der: [UInt8], thisUpdate: Instant, nextUpdate: Instant) {
    self.der = der
    self.thisUpdate = thisUpdate
    self.nextUpdate = nextUpdate
  }
}

/// Tells one list of an authority from every other.
public struct RevocationListVersion: Sendable, Hashable {
  /// Big-endian.
  public let number: [UInt8]
  public let createdAt: Instant

  public init(number: [UInt8], createdAt: Instant) {
    self.number = number
    self.createdAt = createdAt
  }
}

/// A list as the public gets it.
public struct PublishedRevocationList: Sendable {
  public let version: RevocationListVersion
  public let thisUpdate: Instant
  public let nextUpdate: Instant
  /// Nil when the caller has it.
  public let der: [UInt8]?

  public init(version: RevocationListVersion, thisUpdate: Instant, nextUpdate: Instant, der: [UInt8]?) {
    self.version = version
    self.thisUpdate = thisUpdate
    self.nextUpdate = nextUpdate
    self.der = der
  }
}

/// A certificate that we issued, by its serial number.
public struct IssuedStatus: Sendable, Hashable {
  /// Lower-case hex.
  public let serialNumber: String
  /// Nil while it stands.
  public let revokedAt: Instant?
  public let reason: RevocationReason

  public init(serialNumber: String, revokedAt: Instant?, reason: RevocationReason) {
    self.serialNumber = serialNumber
    self.revokedAt = revokedAt
    self.reason = reason
  }
}
