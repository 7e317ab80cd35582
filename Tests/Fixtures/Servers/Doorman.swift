internal import PKIX
public import TLS

/// Lets every certificate in and calls it by its subject.
public struct Doorman: PeerVerifier {
  let refusal: Refusal?

  /// With a refusal, he lets nobody in.
  public init(refusing refusal: Refusal? = nil) { self.refusal = refusal }

  public func verify(_ chain: borrowing PresentedChain) throws(Refusal) -> String {
    if let refusal { throw refusal }
    return "\(chain.leaf.subject)"
  }

  public func stillStands(_ peer: String, under serverName: String?) -> Bool { true }
}
