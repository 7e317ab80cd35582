import PKIX

@testable import TLS

/// Answers as the test says, and remembers what it was asked.
final class ScriptedVerifier: PeerVerifier {
  final class Visitor: Sendable {
    let number: Int, subject: String, certificates: Int

    init(number: Int, subject: String, certificates: Int) {
      (self.number, self.subject, self.certificates) = (number, subject, certificates)
    }
  }

  private struct State: Sendable { var alert: Alert?, stands = true, verified = 0, lookedUp = 0 }
  private let state = Lock(State())

  /// The alert with which every certificate is refused; nil: every one is let in.
  init(refusingWith alert: Alert? = nil) { state.withLock { $0.alert = alert } }

  var verified: Int { state.withLock { $0.verified } }
  var lookedUp: Int { state.withLock { $0.lookedUp } }
  func withdraw() { state.withLock { $0.stands = false } }

  func verify(_ chain: borrowing PresentedChain) throws(Refusal) -> Visitor {
    let (number, alert) = state.withLock { state in
      state.verified += 1
      return (state.verified, state.alert)
    }
    if let alert { throw Refusal(alert, "as the test says", of: chain.leaf) }
    return Visitor(
      number: number, subject: "\(chain.leaf.subject)", certificates: 1 + chain.intermediates.count)
  }

  func stillStands(_ peer: Visitor, under serverName: String?) -> Bool {
    state.withLock { state in
      state.lookedUp += 1
      return state.stands
    }
  }
}
