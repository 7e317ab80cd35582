/// Something with a descriptor that a loop watches. It lives on that loop and is touched nowhere else.
public protocol EventSource: AnyObject {
  /// The descriptor has changed. It is told once for each change: whoever stops before "would block" is not told again.
  func ready(_ readiness: Readiness, on loop: isolated EventLoop)
}
