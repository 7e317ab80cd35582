import API
import Directory
import Reactor
import Server

/// Ends the idle connections of those who lost their right, after a change of trust and for those whose time ran out.
///
/// Of whoever stays connected and asks for nothing the database is asked all the same: else nobody would know whose right
/// it is that is lost.
final class Sweeper: Sendable {
  /// So many at most are looked up between two sweeps.
  private static let mostStrangers = 500

  private let listeners = Lock<[Listener<Application<DevicePeer>>]>([])
  private let strangers = Lock<[DevicePeer]>([])
  private let recognizer: Recognizer

  init(recognizer: Recognizer) { self.recognizer = recognizer }

  func watch(_ listeners: [Listener<Application<DevicePeer>>]) {
    self.listeners.withLock { $0 = listeners }
  }

  func sweep() {
    for listener in listeners.withLock({ $0 }) {
      // By the clock of the moment: whoever comes before the next sweep is judged by this one's judge.
      listener.judgeIdle { self.verdict(on: $0, at: WallClock.seconds) }
    }
  }

  /// Asks the database about those who have asked for nothing. A refusal is noted in the peer, and told when it asks.
  func lookUpStrangers() async {
    let found = strangers.withLock { strangers in
      defer { strangers = [] }
      return strangers
    }
    await withTaskGroup { group in
      for peer in found {
        // Without the database nobody is found; those who are still there are looked up later.
        group.addTask { try? await self.recognizer.recognize(peer, at: WallClock.seconds) }
      }
    }
  }

  private func verdict(on peer: DevicePeer, at seconds: Int64) -> IdleVerdict {
    guard peer.refusal(at: seconds) == nil else { return peer.wasOver ? .wasOver : .isOver }
    strangers.withLock { strangers in
      if strangers.count < Self.mostStrangers, peer.isToBeLookedUp(at: seconds) { strangers.append(peer) }
    }
    return .stays
  }
}
