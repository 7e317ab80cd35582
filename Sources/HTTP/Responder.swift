/// Whatever answers requests: the whole application behind a listener.
///
/// It never throws: an error is a response too. `peer` is nil where the listener asks for no client certificate.
public protocol Responder<Peer>: Sendable {
  associatedtype Peer: AnyObject, Sendable
  /// What is kept with a connection of what came over it.
  associatedtype Memory: AnyObject = NoMemory

  func respond(to request: Request, from peer: Peer?) async -> Response

  /// The answer, where memory has all that `respond` would give it from; nil: ask `respond`.
  ///
  /// `memory` is the connection's: what is put there comes back with its next request.
  func responseAtOnce(
    to request: Request, from peer: Peer?, remembering memory: inout Memory?
  ) -> Response?

  /// Why a body that is longer than others may not come, asked when the head has (the body is empty); nil: it may.
  func refusal(ofLongBody request: Request, from peer: Peer?) async -> Response?

  /// Whether the request's host may be asked for only over a connection that asked for it in its TLS handshake.
  func demandsServerName(_ request: Request) -> Bool

  /// The answer to bytes that are no request; the connection closes after it.
  func response(to failure: RequestFailure) -> Response
}

/// Of an application that remembers nothing.
public final class NoMemory {}

extension Responder {
  public func responseAtOnce(
    to request: Request, from peer: Peer?, remembering memory: inout Memory?
  ) -> Response? { nil }

  public func refusal(ofLongBody request: Request, from peer: Peer?) async -> Response? { nil }

  public func demandsServerName(_ request: Request) -> Bool { false }

  public func response(to failure: RequestFailure) -> Response {
    Response(
      failure.status, headers: [HeaderField(.contentType, "text/plain; charset=utf-8")],
      body: Array(failure.detail.utf8), closes: true)
  }
}
