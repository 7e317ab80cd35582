public import Cryptography

/// The headers by which a receiver knows who sent a request, as standardwebhooks.com has them.
public enum WebhookSignature {
  /// - Parameters:
  ///   - id: of the event: the same whenever it is sent again.
  ///   - time: in seconds since 1970; a receiver refuses what is minutes old.
  ///   - secrets: each signs, so that one can be replaced while requests are under way.
  public static func headers(
    id: String, time: Int64, body: [UInt8], secrets: [[UInt8]]
  ) throws(OpenSSLError) -> [(name: String, value: String)] {
    var signatures: [String] = []
    for secret in secrets {
      let code = try HMAC.sha256(Array("\(id).\(time).".utf8) + body, key: secret)
      signatures.append("v1,\(Base64.encode(code))")
    }
    return [
      ("Content-Type", "application/json"), ("Webhook-Id", id), ("Webhook-Timestamp", "\(time)"),
      ("Webhook-Signature", signatures.joined(separator: " ")),
    ]
  }
}
