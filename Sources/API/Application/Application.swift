public import HTTP

/// Everything that answers on one listener: its routes, who may call them, and the problems.
///
/// The order of judgement is the contract's: a refused peer, 404/405 of the route, 401, and then (in `Exchange`) 404 of
/// the target, 403, and the request itself.
public final class Application<Peer: AnyObject & Sendable>: Responder {
  /// Whom a client certificate speaks for at this moment; a `Problem` says why nobody.
  ///
  /// It sees the request because an expired certificate may still renew itself.
  public typealias Authenticate = @Sendable (Peer, Request) async throws -> Caller

  /// The same where memory alone tells, and nothing speaks against the peer; nil: ask `Authenticate`.
  public typealias Recall = @Sendable (Peer, Request) -> DeviceCaller?

  private let surfaces: Set<Surface>
  private let servesDevices: Bool
  private let services: Services
  private let authenticate: Authenticate
  private let recall: Recall
  private let isReserved: @Sendable (Request) -> Bool
  private let authentication: Authentication
  private let problems: ProblemWriter
  private let router: Router<Route>
  /// What an admin identity finds on the device listener besides.
  private let administratorRouter: Router<Route>

  /// `isReserved` says whether the request's host belongs to one organization alone.
  ///
  /// - Throws: `RouteConflict` when two routes of the listener could take the same request.
  public init(
    surfaces: Set<Surface>, routes: [Route] = Routes.all, services: Services,
    authenticate: @escaping Authenticate, recall: @escaping Recall = { _, _ in nil },
    isReserved: @escaping @Sendable (Request) -> Bool = { _ in false }
  ) throws {
    self.surfaces = surfaces
    servesDevices = surfaces.contains(.device)
    self.services = services
    self.authenticate = authenticate
    self.recall = recall
    self.isReserved = isReserved
    authentication = Authentication(units: services.units, used: services.tokenUsed)
    problems = ProblemWriter(services: services)
    func router(_ surfaces: Set<Surface>) throws -> Router<Route> {
      try Router(
        routes.filter { !$0.surfaces.isDisjoint(with: surfaces) }.map {
          HTTP.Route($0.method, $0.pattern, $0)
        })
    }
    self.router = try router(surfaces)
    administratorRouter = servesDevices ? try router(surfaces.union([.admin])) : self.router
  }

  public func respond(to request: Request, from peer: Peer?) async -> Response {
    var route: Route?
    var response: Response
    do {
      let caller = try await self.caller(peer, request)
      do {
        let (found, parameters) = try match(request, isAdministrator: caller.isAdministrator)
        route = found
        response = try await found.handler(
          exchange(
            request, parameters, found, try await identify(caller, request, found),
            dispatch: dispatch(of: found, from: peer)))
      } catch {
        response = problems.response(to: error)
      }
    } catch {
      response = problems.response(to: error)
      // A refused certificate does not get better; a server that cannot tell does.
      response.closes = response.status < 500
    }
    finish(&response, route)
    return response
  }

  public func responseAtOnce(
    to request: Request, from peer: Peer?, remembering memory: inout Recollection?
  ) -> Response? {
    // Only what is safe (RFC 9110 §9.2.1) may be in memory; the rest is not judged twice.
    guard request.method == .get || request.method == .head, let peer, let device = recall(peer, request),
      let known = recollection(of: request, isAdministrator: device.isAdministrator, in: &memory),
      var response = known.answer.response(to: device, services)
    else { return nil }
    finish(&response, known.route)
    return response
  }

  /// What is remembered of the request, or found out now; nil: it is not answered from memory.
  private func recollection(
    of request: Request, isAdministrator: Bool, in memory: inout Recollection?
  ) -> Recollection? {
    if let memory, memory.holds(for: request, isAdministrator: isAdministrator) { return memory }
    guard let (route, parameters) = try? match(request, isAdministrator: isAdministrator),
      !needsToken(route), let answer = route.answerAtOnce?(request, parameters)
    else { return nil }
    let fresh = Recollection(of: request, isAdministrator: isAdministrator, route, answer)
    memory = request.mayBeKept ? fresh : nil
    return fresh
  }

  /// Whoever is to send a long body has proven who it is, and that it may: there are few places for them.
  public func refusal(ofLongBody request: Request, from peer: Peer?) async -> Response? {
    var route: Route?
    do {
      let caller = try await self.caller(peer, request)
      let (found, parameters) = try match(request, isAdministrator: caller.isAdministrator)
      route = found
      guard let admit = found.admit else { throw Problem(.bodyTooLarge) }
      try await admit(exchange(request, parameters, found, try await identify(caller, request, found)))
      return nil
    } catch {
      var response = problems.response(to: error)
      response.closes = true
      finish(&response, route)
      return response
    }
  }

  public func demandsServerName(_ request: Request) -> Bool { isReserved(request) }

  public func response(to failure: RequestFailure) -> Response {
    services.observe(nil, failure.status)
    return problems.response(to: failure)
  }

  private func dispatch(of route: Route, from peer: Peer?) -> (@Sendable (Request) async -> Response)? {
    guard route.dispatches else { return nil }
    return { request in await self.respond(to: request, from: peer) }
  }

  private func caller(_ peer: Peer?, _ request: Request) async throws -> Caller {
    guard let peer else { return .nobody }
    return try await authenticate(peer, request)
  }

  private func exchange(
    _ request: Request, _ parameters: RouteParameters, _ route: Route, _ caller: Caller,
    dispatch: (@Sendable (Request) async -> Response)? = nil
  ) -> Exchange {
    Exchange(
      request, parameters: parameters, route: route, caller: caller, surfaces: surfaces, services: services,
      dispatch: dispatch)
  }

  private func finish(_ response: inout Response, _ route: Route?) {
    if isPrivate(route), !response.isCacheControlled {
      response.headers.append(HeaderField(.cacheControl, "no-store"))
    }
    services.observe(route?.pattern, response.status)
  }

  private func match(
    _ request: Request, isAdministrator: Bool
  ) throws(Problem) -> (Route, RouteParameters) {
    switch (isAdministrator ? administratorRouter : router).match(request) {
    case .found(let route, let parameters):
      // To an admin identity, what only operators may do is not there.
      guard !isAdministrator || route.access != .operator else { throw Problem(.notFound) }
      return (route, parameters)
    case .notFound: throw Problem(.notFound)
    case .methodNotAllowed(let methods):
      let allowed = methods.map(\.name).joined(separator: ", ")
      throw Problem(
        .methodNotAllowed, "This path takes \(allowed).", headers: [HeaderField(.allow, allowed)])
    }
  }

  private func identify(_ caller: Caller, _ request: Request, _ route: Route) async throws -> Caller {
    needsToken(route) ? try await authentication.caller(of: request) : caller
  }

  /// Whether a certificate says nothing about who may call.
  private func needsToken(_ route: Route) -> Bool { route.access.isAdministrative && !servesDevices }

  private func isPrivate(_ route: Route?) -> Bool {
    servesDevices || route.map { $0.access != .anyone } ?? false
  }
}
