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
    if refusesByAlert, let refusal = peer.refusal(at: clock()) {
      throw Refusal(refusal.alert, refusal.reason, of: leaf)
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
    case .organizationSuspended, .identitySuspended: .accessDenied
    case .identityUnknown, .trustChanged: .certificateUnknown
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
