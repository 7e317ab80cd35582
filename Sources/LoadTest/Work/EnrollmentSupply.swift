package import Cryptography
internal import PKIX
internal import Synchronization

/// Enrollment tokens, and the keys that ask for certificates with them.
package struct EnrollmentSupply: Sendable {
  private let tokens: [String]
  private let keys: [PrivateKey]
  private let usesOfToken: Int
  private let count = Counter()

  private final class Counter: Sendable {
    let used = Atomic(0)
  }

  /// - Parameters:
  ///   - tokens: each good for `usesOfToken` enrollments.
  ///   - keys: taken in turn; a key may enroll again with another token.
  package init(tokens: [String], usesOfToken: Int, keys: [PrivateKey]) {
    self.tokens = tokens
    self.usesOfToken = usesOfToken
    self.keys = keys
  }

  /// The next request, ready as bytes; nil when the tokens are used up.
  func next(to target: Target) throws -> [UInt8]? {
    let number = count.used.wrappingAdd(1, ordering: .relaxed).oldValue
    guard number / usesOfToken < tokens.count, !keys.isEmpty else { return nil }
    // The name is free only the first time; after that the server finds one.
    let request = try CertificationRequest.make(
      commonName: "enrolled-\(number)", signer: keys[number % keys.count])
    let head = """
      POST /v1/enroll HTTP/1.1\r\nHost: \(target.authority)\r\n\
      Authorization: Bearer \(tokens[number / usesOfToken])\r\nContent-Type: application/pkcs10\r\n\
      Content-Length: \(request.count)\r\n\r\n
      """
    return Array(head.utf8) + request
  }
}
