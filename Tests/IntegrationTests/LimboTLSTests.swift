import Fixtures
import Foundation
import Testing

/// The x509-limbo cases that carry a key, each as an organization of its own, over real TLS.
///
/// Whoever a known authority vouches for reaches HTTP and is told that nobody knows the identity; everybody else gets an
/// alert, or the problem of a certificate that is not valid now. 182 of the roots share one name: that nobody is taken
/// for another's is shown by the way.
struct LimboTLSTests {
  private let server: Installation
  init() throws { server = try Installation.shared.get() }

  @Test(.enabled(if: LimboSuite.isThere, "USHER_TEST_DATA names no folder"))
  func `x509-limbo over TLS agrees with verify-chain`() throws {
    let folder = try TemporaryFolder()
    var told: [String: Int] = [:]
    // A path's depth is not a server's to choose, and cases of another time or with revocation lists are asked of
    // verify-chain alone: a server has one clock.
    let cases = try LimboSuite().cases.filter { $0.time == nil && $0.lists.isEmpty && !$0.hasDepth }
    for test in cases {
      guard let key = test.key else { continue }
      let answer: String
      if try register(test) {
        answer = try connect(
          folder.write(test.leaf, to: "leaf.pem"), folder.write(key, to: "leaf.key"),
          folder.write(test.intermediates.joined(separator: "\n"), to: "chain.pem"))
      } else {
        answer = "anchor refused"
      }
      told[answer, default: 0] += 1
      let fault = LimboDifferences.fault(in: answer == "identity-unknown", on: test, answer)
      #expect(fault == nil)
    }
    print("x509-limbo over TLS:", told.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" })
    #expect(told["identity-unknown", default: 0] > 20)
  }

  /// Whether at least one anchor was taken.
  private func register(_ test: LimboCase) throws -> Bool {
    let slug = "limbo-" + UUID().uuidString.lowercased().prefix(13)
    let made = try server.call("POST", "/v1/organizations", #"{"slug": "\#(slug)", "name": "\#(test.id)"}"#)
    try #require(made.status == 201, "\(made)")
    var isAnchored = false
    for anchor in test.anchors {
      let answer = try server.call(
        "POST", "/v1/organizations/\(slug)/authorities",
        ExternalCA.json(["kind": "external", "certificate": anchor, "trusted": true]))
      // 4xx: an anchor that is too long, or can never be trusted. A 409 would be a fault of this test.
      try #require([201, 400, 413, 422].contains(answer.status), "\(test.id): \(answer)")
      isAnchored = isAnchored || answer.status == 201
    }
    return isAnchored
  }

  /// What the server says: a problem's code, an alert, or why the client could not even ask.
  private func connect(_ leaf: String, _ key: String, _ chain: String) throws -> String {
    let address = server.device.replacingOccurrences(of: "https://", with: "")
    let isAlone = try TemporaryFolder.contents(of: chain).isEmpty
    let result = try Shell.run(
      "timeout",
      [
        "20", "openssl", "s_client", "-connect", address, "-CAfile", server.serverCA, "-ign_eof", "-quiet",
        "-cipher", "DEFAULT@SECLEVEL=0", "-cert", leaf, "-key", key,
      ] + (isAlone ? [] : ["-cert_chain", chain]),
      input: "GET /v1/identity HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    if let found = result.output.range(of: #""code":""#) {
      return String(result.output[found.upperBound...].prefix { $0 != "\"" })
    }
    if let found = result.errors.range(of: "SSL alert number ") {
      return "alert " + result.errors[found.upperBound...].prefix { $0.isNumber }
    }
    return result.output.isEmpty ? "no connection" : "HTTP without a problem"
  }
}
