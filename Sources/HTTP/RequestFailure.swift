/// Why a request cannot be read; the connection ends after the answer, since nobody knows where the next one would begin.
public struct RequestFailure: Error, Sendable, Hashable {
  /// The class of a failure, which decides status and problem code.
  public enum Kind: Sendable, Hashable, CaseIterable {
    case malformed, timedOut, bodyTooLarge, targetTooLong, expectationFailed, misdirected, headTooLarge,
      notImplemented, versionNotSupported
  }

  public let kind: Kind
  /// One sentence for the client: what was wrong. It never quotes the request.
  public let detail: String

  init(_ kind: Kind, _ detail: StaticString) {
    self.kind = kind
    self.detail = detail.description
  }

  /// The status of the answer: 400, 408, 413, 414, 417, 421, 431, 501 or 505.
  public var status: Int {
    switch kind {
    case .malformed: 400
    case .timedOut: 408
    case .bodyTooLarge: 413
    case .targetTooLong: 414
    case .expectationFailed: 417
    case .misdirected: 421
    case .headTooLarge: 431
    case .notImplemented: 501
    case .versionNotSupported: 505
    }
  }

  /// The same as a problem, for the room that renders problems.
  public var problem: Problem {
    let (code, title) =
      switch kind {
      case .malformed: ("malformed-request", "The request is not valid HTTP")
      case .timedOut: ("request-timeout", "The request took too long")
      case .bodyTooLarge: ("body-too-large", "The body is too large")
      case .targetTooLong: ("target-too-long", "The request line is too long")
      case .expectationFailed: ("expectation-failed", "The expectation is not supported")
      case .misdirected: ("misdirected-request", "The request is for another server")
      case .headTooLarge: ("header-too-large", "The header section is too large")
      case .notImplemented: ("not-implemented", "The request asks for what this server does not do")
      case .versionNotSupported: ("version-not-supported", "The HTTP version is not supported")
      }
    return Problem(code, status: status, title: title, detail: detail)
  }

  /// The request did not come to its end in time.
  public static let timedOut = RequestFailure(.timedOut, "The request did not arrive in time.")

  /// `Host` is not the name under which the TLS connection was made (RFC 9110 §15.5.20).
  public static let misdirected = RequestFailure(
    .misdirected, "The Host header must be the name that the TLS connection was made for.")

  static let bodyTooLarge = RequestFailure(.bodyTooLarge, "The body is longer than this server reads.")

  static func malformed(_ detail: StaticString) -> RequestFailure {
    RequestFailure(.malformed, detail)
  }
}
