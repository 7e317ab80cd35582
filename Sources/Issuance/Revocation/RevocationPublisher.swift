public import Licensing
internal import PKIX

/// Makes the revocation lists of the authorities whose keys the service holds: soon after a revocation, and long before
/// the last list's end.
///
/// Every server asks what is due; one of them, whichever takes the lock in the database first, makes each list.
public struct RevocationPublisher: Sendable {
  private let store: any RevocationStore
  private let keys: AuthorityKeys
  private let policy: RevocationPolicy
  private let clock: @Sendable () -> Int64

  /// `clock` gives seconds since 1970: what is signed is judged by the server's own clock.
  public init(
    store: any RevocationStore, keys: AuthorityKeys, policy: RevocationPolicy = RevocationPolicy(),
    clock: @escaping @Sendable () -> Int64
  ) {
    self.store = store
    self.keys = keys
    self.policy = policy
    self.clock = clock
  }

  /// What came of one round.
  public struct Round: Sendable {
    /// Lists that were made here.
    public var made = 0
    /// Whether something is due still: another server is at it, it was too soon, or it failed.
    public var isUnfinished = false
    /// Authorities whose list could not be made, and why.
    public var failures: [(authority: Identifier, error: any Error)] = []
  }

  /// Makes what is due, one list after the other.
  ///
  /// - Parameter organization: nil: of all.
  @discardableResult
  public func publish(for organization: Key<Organization>? = nil) async throws(StorageError) -> Round {
    var round = Round()
    for due in try await store.dueLists(of: organization, at: Instant(seconds: clock())) {
      guard !due.isFresh else {
        round.isUnfinished = true
        continue
      }
      do {
        if try await renew(due) { round.made += 1 } else { round.isUnfinished = true }
      } catch {
        round.isUnfinished = true
        round.failures.append((due.id, error))
      }
    }
    return round
  }

  /// Looks for external authorities whose list should have been replaced; those on which that is news.
  public func warnOfStaleLists() async throws(StorageError) -> [Identifier] {
    try await store.warnOfStaleLists(at: Instant(seconds: clock()))
  }

  private func renew(_ due: DueRevocationList) async throws -> Bool {
    let now = clock()
    return try await store.renew(
      due, at: Instant(seconds: now), keptFrom: Instant(seconds: now - policy.listLifetime)
    ) { draft in try await sign(draft, at: now) }
  }

  /// Off the event loops: a hundred thousand entries, an RSA key or a token take their time.
  @concurrent
  private func sign(_ draft: RevocationListDraft, at now: Int64) async throws -> SignedRevocationList {
    let authority = draft.signing.authority
    guard let issuer = try authority.chain().first else {
      throw StorageError.fault("an authority without a certificate was asked for a list")
    }
    let signer = try keys.signer(for: authority, of: draft.signing.organization)
    let contents = RevocationListContents(
      number: draft.number, thisUpdate: now - policy.backdating, nextUpdate: now + policy.listLifetime,
      entries: draft.certificates.compactMap(\.entry))
    return SignedRevocationList(
      der: try IssuingAuthority(certificate: issuer, signer: signer).sign(contents),
      thisUpdate: Instant(seconds: contents.thisUpdate), nextUpdate: Instant(seconds: contents.nextUpdate))
  }
}

extension IssuedStatus {
  fileprivate var entry: RevocationList.Entry? {
    guard let revokedAt, let serialNumber = SerialNumber(hexadecimal: serialNumber) else { return nil }
    return RevocationList.Entry(
      serialNumber: serialNumber, revokedAt: revokedAt.seconds, reason: reason.listed)
  }
}

extension RevocationReason {
  /// The reason as lists and answers state it.
  var listed: RevocationList.Reason { RevocationList.Reason(rawValue: Int(rawValue)) ?? .unspecified }
}
