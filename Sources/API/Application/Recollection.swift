import HTTP

/// What was found out about the last request of a connection that is answered from memory, for when it comes again.
///
/// It is what the bytes of the request say, and no judgement of whoever sends it.
public final class Recollection {
  private let request: Request
  private let isAdministrator: Bool
  let route: Route
  let answer: any PromptAnswer

  init(of request: Request, isAdministrator: Bool, _ route: Route, _ answer: any PromptAnswer) {
    self.request = request
    self.isAdministrator = isAdministrator
    self.route = route
    self.answer = answer
  }

  /// Whether it is about this request of such a caller, for an administrator finds other routes.
  func holds(for request: Request, isAdministrator: Bool) -> Bool {
    request.repeats(self.request) && isAdministrator == self.isAdministrator
  }
}
