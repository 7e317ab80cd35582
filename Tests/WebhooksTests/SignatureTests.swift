import Cryptography
import Testing

@testable import Webhooks

@Suite struct SignatureTests {
  /// The example of the Standard Webhooks specification's libraries.
  @Test func `a request is signed as other libraries verify it`() throws {
    let secret = try #require(Base64.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
    let headers = try WebhookSignature.headers(
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek", time: 1_614_265_330, body: Array(#"{"test": 2432232314}"#.utf8),
      secrets: [secret, [1]])
    let signature = try #require(headers.first { $0.name == "Webhook-Signature" }?.value)
    #expect(signature.hasPrefix("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= v1,"))
    #expect(signature.split(separator: " ").count == 2)
    #expect(headers.contains { $0 == ("Webhook-Timestamp", "1614265330") })
  }
}
