internal import PKIX

/// A verifier and its sessions, without the verifier's type, so that a C callback can name it.
final class PeerAuthentication: Sendable {
  /// How long after its full handshake a session is resumed at most, in seconds.
  static let longestSession: Int64 = 86_400

  let sessions: SessionCache
  /// Whether judging may wait.
  let mayWait: Bool
  private let judge: @Sendable (borrowing PresentedChain) throws(Refusal) -> any Sendable
  private let stands: @Sendable (any Sendable, _ serverName: String?) -> Bool
  private let now: @Sendable () -> Int64

  init<Verifier: PeerVerifier>(
    _ verifier: Verifier, sessionCapacity: Int, now: @escaping @Sendable () -> Int64
  ) {
    sessions = SessionCache(capacity: sessionCapacity)
    self.now = now
    mayWait = verifier.mayWait
    judge = { chain throws(Refusal) in try verifier.verify(chain) }
    stands = { peer, name in
      (peer as? Verifier.Peer).map { verifier.stillStands($0, under: name) } ?? false
    }
  }

  /// Judges a full handshake; the result is hung on its session.
  func record(_ chain: borrowing PresentedChain) throws(Refusal) -> SessionRecord {
    let peer = try judge(chain)
    let deadline = min(chain.leaf.notAfter, now() + Self.longestSession)
    return SessionRecord(peer: peer, serverName: chain.serverName, deadline: deadline)
  }

  /// Whether a session may ever be resumed: that of a peer which is refused already takes nobody's place.
  func mayKeep(_ record: SessionRecord) -> Bool { stands(record.peer, record.serverName) }

  /// The session of that name, if it may be resumed under `serverName` now.
  func session(_ identifier: SessionIdentifier, serverName: String?) -> Session? {
    guard let session = sessions.find(identifier) else { return nil }
    guard session.record.deadline > now(), stands(session.record.peer, session.record.serverName) else {
      sessions.remove(identifier)
      return nil
    }
    return session.record.serverName == serverName ? session : nil
  }
}
