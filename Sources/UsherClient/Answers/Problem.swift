internal import JSON

/// What the server says when it refuses (RFC 9457).
public struct Problem: Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, such as `no-seat-available`; `certificate-refused` when the certificate was refused by a TLS alert,
  /// `status-404` and the like when the answer has no problem document.
  public let code: String
  /// The HTTP status; nil when there was no answer, only an alert.
  public let status: Int?
  /// What was wrong in this case and what to do, for people.
  public let detail: String
  /// Within a code, such as `expired` for `lease-lost`.
  public let reason: String?
  /// Whom to ask: the organization's page.
  public let contactURL: String?
  /// Seconds after which trying again makes sense.
  public let retryAfter: Int?
  /// The whole document, as JSON.
  public let json: String

  public var description: String { "\(code): \(detail)" }
}

extension Problem {
  /// Reads the problem of a refusing answer.
  init(_ answer: Answer) {
    let document = try? JSONValue(parsing: answer.body)
    let code = document?.text("code") ?? "status-\(answer.status)"
    let detail = document?.text("detail") ?? document?.text("title") ?? "the server refused without a reason"
    self.init(
      code: code, status: answer.status, detail: detail, reason: document?.text("reason"),
      contactURL: document?.text("contactUrl"), retryAfter: answer.retryAfter,
      json: document?["code"] == nil
        ? Self.document(code, detail) : String(decoding: answer.body, as: UTF8.self))
  }

  /// The refusal of this client's certificate by an alert of TLS.
  init(alert: String) {
    let code = "certificate-refused"
    let detail = "the server refused the certificate in the handshake: \(alert)"
    self.init(
      code: code, status: nil, detail: detail, reason: nil, contactURL: nil, retryAfter: nil,
      json: Self.document(code, detail))
  }

  private static func document(_ code: String, _ detail: String) -> String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("code", code)
      writer.member("detail", detail)
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
