internal import PKIX
public import TLS

/// Lets every certificate in and calls it by its subject.
public struct Doorman: PeerVerifier {
  /// Somebody who was let in.
  public final class Guest: Sendable {
    let name: String

    init(name: String) { self.name = name }
  }

  let refusal: Refusal?

  /// With a refusal, he lets nobody in.
  public init(refusing refusal: Refusal? = nil) { self.refusal = refusal }

  public func verify(_ chain: borrowing PresentedChain) throws(Refusal) -> Guest {
    if let refusal { throw refusal }
    return Guest(name: "\(chain.leaf.subject)")
  }

  public func stillStands(_ peer: Guest, under serverName: String?) -> Bool { true }
}
