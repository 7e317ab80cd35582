import HTTP
import Issuance

extension Exchange {
  /// Finds the target, judges the caller, and lets `body` read, all in one snapshot.
  ///
  /// This is the order of judgement after 404/405 and 401: 404 for what is unknown or foreign, then 403, then whatever
  /// `body` finds wrong with the request.
  func read<Target: Sendable, Result: Sendable>(
    _ finder: Finder<Target>, _ body: @Sendable (Desk, Target) async throws -> Result
  ) async throws -> Result {
    try await services.units.read { unit in
      try await judge(finder, Desk(self, unit), locked: false, body)
    }
  }

  /// The same in one transaction that commits when `body` returns; a repeated request is answered as the first time.
  ///
  /// When it announced a change, the answer waits until this server has applied it.
  func write<Target: Sendable>(
    _ finder: Finder<Target>, _ body: @Sendable (Desk, Target) async throws -> Response
  ) async throws -> Response {
    let repetition = try Repetition(self)
    let (response, hasAnnounced) = try await services.units.transact { unit in
      // Another server may have done it the first time.
      if let answer = try await repetition?.answer(in: unit) { return (answer, true) }
      if case .administrator(let device) = caller { try await unit.act(by: device.certificate) }
      let desk = Desk(self, unit)
      let response = try await judge(finder, desk, locked: true, body)
      try await repetition?.keep(response, in: unit)
      return (response, desk.hasAnnounced)
    }
    if hasAnnounced { await services.settle() }
    return response
  }

  private func judge<Target: Sendable, Result: Sendable>(
    _ finder: Finder<Target>, _ desk: Desk, locked: Bool, _ body: (Desk, Target) async throws -> Result
  ) async throws -> Result {
    guard let target = try await finder.find(self, desk.unit, locked) else { throw Problem(.notFound) }
    do {
      try permit()
      try checkQuery()
      try checkIdempotencyKey()
      return try await body(desk, target)
    } catch {
      guard let contactURL = (target as? any OfOrganization)?.contactURL,
        var problem = Problem(telling: error)
      else {
        throw error
      }
      problem.contactURL = contactURL
      throw problem
    }
  }
}
