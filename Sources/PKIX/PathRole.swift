/// Where in a path a certificate stands.
public enum PathRole: Sendable, Hashable {
  /// The certificate that is judged.
  case leaf
  /// Any between leaf and anchor.
  case intermediate
  /// The one that is trusted because it was registered.
  case anchor
}
