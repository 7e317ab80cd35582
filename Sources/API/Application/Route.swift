public import HTTP

/// One call of the API, as data: the role matrix, the router and the reference are made from the same table.
public final class Route: Sendable {
  public typealias Handler = @Sendable (Exchange) async throws -> Response
  public typealias PromptAnswering = @Sendable (Request, RouteParameters) -> (any PromptAnswer)?
  public typealias Admission = @Sendable (Exchange) async throws -> Void

  public let method: Method
  /// Literal segments and `{name}`, such as `/v1/organizations/{org}/licenses/{license}`.
  public let pattern: String
  public let surfaces: Set<Surface>
  public let access: Access
  /// The query parameters that it takes; an administrative route refuses any other.
  public let query: Set<String>
  /// Whether it sends other requests in the caller's stead.
  let dispatches: Bool
  let handler: Handler
  /// Makes what answers a device in `handler`'s stead where nothing need be waited for; nil: ask it.
  let answerAtOnce: PromptAnswering?
  /// Judges a request whose body is longer than others may be, before any of it is read; nil: there is none.
  let admit: Admission?

  public init(
    _ method: Method, _ pattern: String, on surfaces: Set<Surface>, for access: Access,
    query: Set<String> = [], dispatches: Bool = false,
    atOnce answer: PromptAnswering? = nil, admitting admit: Admission? = nil,
    _ handler: @escaping Handler
  ) {
    answerAtOnce = answer
    self.method = method
    self.pattern = pattern
    self.surfaces = surfaces
    self.access = access
    self.query = query
    self.dispatches = dispatches
    self.handler = handler
    self.admit = admit
  }

  /// A call of the admin API.
  static func admin(
    _ method: Method, _ pattern: String, for access: Access, query: Set<String> = [],
    admitting admit: Admission? = nil, _ handler: @escaping Handler
  ) -> Route {
    Route(method, pattern, on: [.admin], for: access, query: query, admitting: admit, handler)
  }

  /// A list of the admin API, which takes `limit` and `cursor`.
  static func list(
    _ pattern: String, for access: Access = .viewer, filters: Set<String> = [], _ handler: @escaping Handler
  ) -> Route {
    Route(.get, pattern, on: [.admin], for: access, query: filters.union(["limit", "cursor"]), handler)
  }
}
