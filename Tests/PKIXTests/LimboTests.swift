import Foundation
import PKIX
import Testing

/// The x509-limbo cases (C2SP, Apache-2.0) with client certificates, from the folder that `USHER_TEST_DATA` names.
struct LimboTests {
  struct Suite: Decodable { let testcases: [Case] }

  struct Case: Decodable {
    let id: String
    let trustedCerts: [String]
    let untrustedIntermediates: [String]
    let peerCertificate: String
    let validationTime: String?
    let maxChainDepth: Int?
    let expectedResult: String

    /// Whether some anchor, each tried alone, takes the leaf as valid; and if none, why the last did not.
    func judge() -> (isAccepted: Bool, reason: String) {
      var reason = ""
      do {
        let leaf = try Certificate(pem: Array(peerCertificate.utf8))
        let presented = untrustedIntermediates.compactMap { try? Certificate(pem: Array($0.utf8)) }
        for text in trustedCerts {
          do {
            var policy = PathPolicy()
            if let maxChainDepth { policy.maximumIntermediates = min(maxChainDepth, 10) }
            let validator = try PathValidator(anchor: Certificate(pem: Array(text.utf8)), policy: policy)
            switch try validator.judge(leaf, presented: presented, at: time()) {
            case .valid: return (true, "")
            case .expired: reason = "the certificate has expired"
            case .notYetValid: reason = "the certificate is not valid yet"
            }
          } catch { reason = "\(error)" }
        }
      } catch { reason = "\(error)" }
      return (false, reason)
    }

    /// Whole seconds, rounded down; now if the case does not care.
    private func time() throws -> Int64 {
      guard let validationTime else { return Int64(Date().timeIntervalSince1970) }
      let whole = validationTime.replacing(/\.\d+/, with: "")
      return Int64(try Date(whole, strategy: .iso8601).timeIntervalSince1970)
    }
  }

  static let decoder: JSONDecoder = {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return decoder
  }()

  static let folder = ProcessInfo.processInfo.environment["USHER_TEST_DATA"]

  @Test(.enabled(if: folder != nil, "USHER_TEST_DATA names no folder"))
  func `x509-limbo agrees with us but for the named differences`() throws {
    let url = URL(fileURLWithPath: try #require(Self.folder)).appending(path: "limbo-client.json")
    let cases = try Self.decoder.decode(Suite.self, from: Data(contentsOf: url)).testcases
    var agreements = 0
    for test in cases {
      let (isAccepted, reason) = test.judge()
      let agrees = isAccepted == (test.expectedResult == "SUCCESS")
      agreements += agrees ? 1 : 0
      switch (agrees, LimboDifferences.all[test.id]) {
      case (true, nil): break
      case (true, _?): Issue.record("\(test.id) agrees by now; take it out of the table")
      case (false, nil):
        Issue.record("\(test.id): expected \(test.expectedResult), \(isAccepted ? "accepted" : reason)")
      case (false, let difference?):
        #expect(isAccepted == difference.isLax, "\(test.id): the table says otherwise")
      }
    }
    let unknown = Set(LimboDifferences.all.keys).subtracting(cases.map(\.id))
    #expect(unknown.isEmpty, "the table names cases that do not exist: \(unknown)")
    let lax = LimboDifferences.all.values.count(where: \.isLax)
    let strict = LimboDifferences.all.count - lax
    print(
      "x509-limbo: \(agreements) of \(cases.count) agree; \(lax) accepted and \(strict) refused by decision")
  }
}
