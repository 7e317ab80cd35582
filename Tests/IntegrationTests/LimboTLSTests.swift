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
    // A path's depth is not a server's to choose; cases of another time need a server of that time.
    let cases = try LimboSuite().cases.filter { $0.time == nil && $0.lists.isEmpty && !$0.hasDepth }
    let told = try ask(cases, of: Door(installation: server, device: server.device, admin: server.admin))
    print("x509-limbo over TLS:", told.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" })
    #expect(told["identity-unknown", default: 0] > 20)
  }

  /// To the second: the clock of the server stands still at the time that a case names.
  @Test(.enabled(if: LimboSuite.isThere && ServerClock.library != nil))
  func `x509-limbo's cases of another time and with revocation lists agree over TLS too`() throws {
    // Of its own: what a server signs whose clock is wrong must not come into another test's way.
    let server = try Installation()
    let clock = try ServerClock(in: server)
    let other = try FurtherServer(of: server, environment: clock.environment)
    let door = Door(installation: server, device: other.device, admin: other.adminURL)
    var told: [String: Int] = [:]
    for (time, cases) in Dictionary(grouping: try LimboSuite().cases, by: \.time) {
      let cases = cases.filter { $0.time != nil || !$0.lists.isEmpty }
      if let time { try clock.stand(at: time) }
      told.merge(try ask(cases, of: door)) { $0 + $1 }
    }
    print(
      "x509-limbo's other times over TLS:", told.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" })
    #expect(told["HTTP without a problem", default: 0] > 3 && told["certificate-revoked", default: 0] > 0)
  }

  /// Where a server is asked.
  private struct Door {
    let installation: Installation
    let device: String
    let admin: String

    func call(_ method: String, _ path: String, _ type: String, _ body: String) throws -> Answer {
      try installation.curl([
        "-X", method, "-H", "Authorization: Bearer \(installation.operatorToken)", "-H",
        "Content-Type: \(type)",
        "--data-binary", body, admin + path,
      ])
    }
  }

  /// How often which answer was given to cases of which a key is there.
  private func ask(_ cases: [LimboCase], of door: Door) throws -> [String: Int] {
    let folder = try TemporaryFolder()
    var told: [String: Int] = [:]
    for test in cases {
      guard let key = test.key else { continue }
      let answer =
        try register(test, at: door)
        ?? connect(
          door, folder.write(test.leaf, to: "leaf.pem"), folder.write(key, to: "leaf.key"),
          folder.write(test.intermediates.joined(separator: "\n"), to: "chain.pem"))
      told[answer, default: 0] += 1
      let isAccepted = ["identity-unknown", "HTTP without a problem"].contains(answer)
      let fault = LimboDifferences.fault(in: isAccepted, on: test, answer)
      #expect(fault == nil)
    }
    return told
  }

  /// Why there is nothing to ask: no anchor was taken, or a list was not. Where lists or the clock may speak an identity is
  /// made, since that nobody knows it would be told before.
  private func register(_ test: LimboCase, at door: Door) throws -> String? {
    let slug = "limbo-" + UUID().uuidString.lowercased().prefix(13)
    let path = "/v1/organizations"
    let made = try door.call(
      "POST", path, "application/json", #"{"slug": "\#(slug)", "name": "\#(test.id)"}"#)
    try #require(made.status == 201, "\(made)")
    var authorities: [String] = []
    for anchor in test.anchors {
      var body: [String: Any] = ["kind": "external", "certificate": anchor, "trusted": true]
      if !test.lists.isEmpty || test.time != nil {
        body["autoProvision"] = true
        body["mapping"] = [["field": "san-dns"], ["field": "subject-cn"]]
      }
      let answer = try door.call(
        "POST", "\(path)/\(slug)/authorities", "application/json", ExternalCA.json(body))
      // 4xx: an anchor that is too long, or can never be trusted. A 409 would be a fault of this test.
      try #require([201, 400, 413, 422].contains(answer.status), "\(test.id): \(answer)")
      if answer.status == 201 { authorities.append(answer.text("id")) }
    }
    for authority in authorities {
      for list in test.lists {
        let answer = try door.call(
          "PUT", "\(path)/\(slug)/authorities/\(authority)/crl", "application/pkix-crl", list)
        // One of another CA concerns nobody here.
        if answer.status == 422, answer.body.contains("no certificate of this authority") { continue }
        if answer.status != 200 { return answer.text("code") }
      }
    }
    return authorities.isEmpty ? "anchor refused" : nil
  }

  /// What the server says: a problem's code, an alert, or why the client could not even ask.
  private func connect(_ door: Door, _ leaf: String, _ key: String, _ chain: String) throws -> String {
    let address = door.device.replacingOccurrences(of: "https://", with: "")
    let isAlone = try TemporaryFolder.contents(of: chain).isEmpty
    let result = try Shell.run(
      "timeout",
      [
        "20", "openssl", "s_client", "-connect", address, "-CAfile", door.installation.serverCA, "-ign_eof",
        "-quiet",
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
