/// What a `Combiner` takes to the database together.
public protocol Combinable: Sendable {
  associatedtype Request: Sendable
  associatedtype Answer: Sendable
  associatedtype Failure: Error
  associatedtype Subject: Hashable & Sendable

  /// Two requests of one subject would depend on each other's outcome, and never share a batch.
  func subject(of request: Request) -> Subject
  /// One for each, in their order.
  func answers(to batch: [Request]) async -> [Result<Answer, Failure>]
}
