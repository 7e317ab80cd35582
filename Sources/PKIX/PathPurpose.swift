/// What a path is to be trusted for.
public enum PathPurpose: Sendable, Hashable {
  /// Clients of TLS: the leaf names clientAuth and may sign.
  case clientAuthentication
  /// A leaf that shows nothing but who holds the anchor's key; whatever else it is for does not matter.
  case proofOfKey
}
