public import HTTP

/// One request on its way through a handler.
public struct Exchange: Sendable {
  public let request: Request
  /// The segments of the path that stand where the pattern has `{name}`.
  public let parameters: RouteParameters
  public let route: Route
  public let caller: Caller
  /// The roles of the listener that it came to.
  public let surfaces: Set<Surface>
  public let services: Services
  /// Sends another request in the caller's stead to the same listener, for routes that do so.
  let dispatch: (@Sendable (Request) async -> Response)?

  init(
    _ request: Request, parameters: RouteParameters, route: Route, caller: Caller, surfaces: Set<Surface>,
    services: Services, dispatch: (@Sendable (Request) async -> Response)? = nil
  ) {
    self.request = request
    self.parameters = parameters
    self.route = route
    self.caller = caller
    self.surfaces = surfaces
    self.services = services
    self.dispatch = dispatch
  }

  /// The last judgement before the request itself is read: may the caller do this to what was found?
  func permit() throws(Problem) {
    guard !caller.holds(route.access) else { return }
    // CFNetwork turns a 403 to a client certificate into a certificate error.
    guard !surfaces.contains(.device) else { throw Problem(.notFound) }
    throw Problem(.forbidden, "This call needs a token of the role “\(route.access.roleName)”.")
  }
}
