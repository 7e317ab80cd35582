internal import Cryptography
import Issuance
internal import PKIX
public import Reactor
public import TLS

/// Decides at the handshake whose device this is: in memory, without waiting, and for one anchor at a time.
///
/// A device that a known authority vouches for becomes a peer even if it is expired, revoked or suspended: it is then
/// told so by a problem it can read, and reaches no handler. Everything else is an alert.
public struct DeviceVerifier: PeerVerifier {
  public typealias Peer = DevicePeer

  private let directory: TrustDirectory
  private let refusesByAlert: Bool
  private let clock: @Sendable () -> Int64

  /// `clock` gives seconds since 1970; with `refusesByAlert` what memory knows to be refused gets an alert instead of a
  /// problem.
  public init(
    directory: TrustDirectory, refusesByAlert: Bool = false,
    clock: @escaping @Sendable () -> Int64 = { WallClock.seconds }
  ) {
    self.directory = directory
    self.refusesByAlert = refusesByAlert
    self.clock = clock
  }

  public func verify(_ chain: borrowing PresentedChain) throws(Refusal) -> DevicePeer {
    let leaf = chain.leaf
    let peer: DevicePeer
    if let known = directory.peer(leaf.fingerprint) {
      peer = known
    } else {
      peer = try judge(leaf, chain.intermediates)
    }
    if refusesByAlert, let refusal = peer.refusal(at: clock()) {
      throw Refusal(refusal.alert, refusal.reason, of: leaf)
    }
    return peer
  }

  public func stillStands(_ peer: DevicePeer) -> Bool { peer.refusal(at: clock()) == nil }

  /// The nearest authority that signed the leaf decides, whatever its status: a revoked one refuses, and never falls
  /// through to one above it.
  private func judge(_ leaf: Certificate, _ presented: [Certificate]) throws(Refusal) -> DevicePeer {
    let candidates = directory.candidates(for: leaf, through: presented)
    guard !candidates.isEmpty else { throw Refusal(.unknownAuthority, "no known authority", of: leaf) }
    var nearest: (authority: AuthorityEntry, length: Int)?
    var failure: PathFailure?
    for authority in candidates {
      // Whatever else it is good for, it has proven a key to us, and authenticates nobody.
      if authority.currentRules.proofFingerprint == leaf.fingerprint.bytes {
        throw Refusal(.badCertificate, "a proof certificate", of: leaf)
      }
      do throws(PathFailure) {
        // The leaf's own time is no failure: whoever is late or early is told so, and may even renew.
        let path = try authority.currentRules.validator.judge(leaf, presented: presented, at: clock()).path
        if path.certificates.count < nearest?.length ?? .max {
          nearest = (authority, path.certificates.count)
        }
      } catch {
        if failure == nil || failure?.kind == .unknownIssuer { failure = error }
      }
    }
    guard let authority = nearest?.authority else { throw Refusal(failure, of: leaf) }
    if authority.organization.standing.state == .deleted {
      throw Refusal(.unknownAuthority, "the organization is deleted", of: leaf)
    }
    return directory.admit(leaf, by: authority)
  }
}

extension Refusal {
  /// The alert for a leaf that no candidate's anchor vouches for.
  fileprivate init(_ failure: PathFailure?, of leaf: Certificate) {
    switch failure?.kind {
    case nil, .unknownIssuer: self.init(.unknownAuthority, "no known authority", of: leaf)
    case .badSignature: self.init(.badCertificate, "a signature does not verify", of: leaf)
    case .wrongPurpose: self.init(.unsupportedCertificate, "not for client authentication", of: leaf)
    case .expired: self.init(.badCertificate, "its authority has expired", of: leaf)
    case .notYetValid: self.init(.badCertificate, "its authority is not valid yet", of: leaf)
    case .revoked: self.init(.badCertificate, "its authority is revoked by the one above", of: leaf)
    case .malformed: self.init(.badCertificate, "unreadable in part", of: leaf)
    case .forbidden: self.init(.badCertificate, "forbidden by a rule", of: leaf)
    }
  }
}

extension PeerRefusal {
  /// What the peer is told when refusals are told by alert.
  fileprivate var alert: Alert {
    switch self {
    case .certificateExpired, .certificateNotYetValid: .certificateExpired
    case .certificateRevoked, .authorityRevoked, .identityDeleted: .certificateRevoked
    case .organizationSuspended, .identitySuspended: .accessDenied
    case .identityUnknown: .certificateUnknown
    }
  }

  fileprivate var reason: StaticString {
    switch self {
    case .organizationSuspended: "organization-suspended"
    case .authorityRevoked: "authority-revoked"
    case .certificateRevoked: "certificate-revoked"
    case .identityDeleted: "identity-deleted"
    case .identityUnknown: "identity-unknown"
    case .identitySuspended: "identity-suspended"
    case .certificateNotYetValid: "certificate-not-yet-valid"
    case .certificateExpired: "certificate-expired"
    }
  }
}
