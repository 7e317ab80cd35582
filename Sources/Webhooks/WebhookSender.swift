/// One POST to a receiver.
public struct WebhookRequest: Sendable {
  public let url: String
  public let headers: [(name: String, value: String)]
  public let body: [UInt8]

  public init(url: String, headers: [(name: String, value: String)], body: [UInt8]) {
    self.url = url
    self.headers = headers
    self.body = body
  }
}

/// Why a receiver has not taken a request: one line for people.
public struct WebhookFailure: Error, Sendable, Hashable, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}

/// What carries requests to receivers.
public protocol WebhookSender: Sendable {
  /// Returns when the receiver has answered with 2xx.
  func send(_ request: WebhookRequest) async throws(WebhookFailure)
}
