/// A value that lives on one loop and may be named from anywhere.
// SAFETY: the value is handed out only on its loop, which is checked; it goes away with the last holder of this name,
// by when whatever shares its state on the loop holds it itself.
public final class LoopBound<Value>: @unchecked Sendable {
  /// Where the value lives.
  public let loop: EventLoop
  private let value: Value

  public init(_ value: Value, on loop: isolated EventLoop) {
    self.loop = loop
    self.value = value
  }

  /// The value, for whoever is on its loop.
  public func get(on loop: isolated EventLoop) -> Value {
    precondition(loop === self.loop, "the value lives on another loop")
    return value
  }
}
