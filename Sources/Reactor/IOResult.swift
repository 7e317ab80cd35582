/// What a non-blocking call came to when it did not fail.
public enum IOResult<Value: ~Copyable>: ~Copyable {
  /// It was done.
  case done(Value)
  /// Not now: the loop says when to try again.
  case wouldBlock
}

extension IOResult: Copyable where Value: Copyable {}
extension IOResult: Sendable where Value: Sendable & ~Copyable {}
extension IOResult: Equatable where Value: Equatable {}
