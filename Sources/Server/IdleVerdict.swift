/// What is known of the peer of an idle connection.
public enum IdleVerdict: Sendable, Hashable {
  case stays
  /// It has lost its right: the connection ends.
  case isOver
  /// It turns out that it had none when it came: a connection that has not asked yet may ask once, and is told why.
  case wasOver
}
