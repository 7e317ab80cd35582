public import HTTP

/// What answers one request of a device from memory, as often as it comes over the same connection.
///
/// It was made from the request alone. Who asks, and that it may, has been judged before each call.
public protocol PromptAnswer: AnyObject {
  /// Nil where memory does not have it: the route's handler is asked.
  func response(to device: DeviceCaller, _ services: Services) -> Response?
}
