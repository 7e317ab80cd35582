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
  private let examine: (@Sendable (DevicePeer) -> PeerRefusal?)?
  private let clock: @Sendable () -> Int64

  /// `clock` gives seconds since 1970.
  ///
  /// With `examine` every refused device gets an alert instead of a problem. It is asked about certificates of which
  /// memory knows no more than their chain; it may wait for the database, and must not write to it.
  public init(
    directory: TrustDirectory, examine: (@Sendable (DevicePeer) -> PeerRefusal?)? = nil,
    clock: @escaping @Sendable () -> Int64 = { WallClock.seconds }
  ) {
    self.directory = directory
    self.examine = examine
    self.clock = clock
  }

  public var mayWait: Bool { examine != nil }

  public func verify(_ chain: borrowing PresentedChain) throws(Refusal) -> DevicePeer {
    try peer(of: chain.leaf, presented: chain.intermediates, under: chain.serverName)
  }

  /// What `verify` does; `presented` is not asked for where it cannot matter.
  func peer(
    of leaf: Certificate, presented: @autoclosure () -> [Certificate], under serverName: String?
  ) throws(Refusal) -> DevicePeer {
    let peer: DevicePeer
    if let known = known(leaf, presented()) {
      peer = known
    } else {
      let judge = ChainJudge(map: directory.map)
      peer = directory.admit(leaf, proven: try judge.judge(leaf, presented: presented(), at: clock()))
    }
    if let serverName, !directory.serves(peer.organization, under: serverName) {
      throw Refusal(.unknownAuthority, "another organization's host name", of: leaf)
    }
    if let examine {
      let known = peer.mayBeRecognized ? examine(peer) : nil
      if let refusal = known ?? peer.refusal(at: clock()) {
        throw Refusal(refusal.alert, refusal.reason, of: leaf)
      }
    }
    return peer
  }

  public func stillStands(_ peer: DevicePeer, under serverName: String?) -> Bool {
    if let serverName, !directory.serves(peer.organization, under: serverName) { return false }
    return peer.refusal(at: clock()) == nil
  }

  private func known(_ leaf: Certificate, _ presented: @autoclosure () -> [Certificate]) -> DevicePeer? {
    for peer in directory.peers(of: leaf.fingerprint)
    where peer.isProven(at: clock(), presented: presented()) {
      return peer
    }
    return nil
  }
}

extension PeerRefusal {
  /// What the peer is told when refusals are told by alert.
  fileprivate var alert: Alert {
    switch self {
    case .certificateExpired, .certificateNotYetValid: .certificateExpired
    case .certificateRevoked, .authorityRevoked, .identityDeleted: .certificateRevoked
    // OpenSSL has no way to `access_denied`.
    case .organizationSuspended, .identitySuspended, .identityUnknown, .trustChanged: .certificateUnknown
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
    case .trustChanged: "trust-changed"
    }
  }
}
