import Fixtures
import Foundation
import Testing

/// Renewals whose answers get lost, come late, or come after the end.
struct RenewalTests {
  private let server: Installation
  init() throws { server = try Installation.shared.get() }

  private func request() throws -> KeyRequest { try KeyRequest(in: server.folder.path) }

  @Test func `until its successor is used a certificate renews again`() throws {
    let tenant = try server.makeTenant()
    let old = try tenant.enroll("laptop")
    let (first, second) = (try request(), try request())

    let answer = try old.renew(first)
    #expect(answer.status == 201, "\(answer)")
    #expect(try old.renew(first).body == answer.body, "the same key gets the same certificate")

    let other = try server.device(try old.renew(second), second)
    let void = try server.device(answer, first).call("GET", "/v1/identity")
    #expect(void.status == 410 && void.text("code") == "certificate-revoked", "\(void)")
    #expect(try old.renew(second).status == 201, "the successor was not used yet")

    let identity = try other.call("GET", "/v1/identity")
    #expect(identity.status == 200 && identity.text("identity") == "laptop", "\(identity)")
    for late in [second, first, try request()] {
      let refused = try old.renew(late)
      #expect(refused.status == 409 && refused.text("code") == "certificate-superseded", "\(refused)")
    }
    #expect(try old.call("GET", "/v1/identity").status == 200, "it may do all else until its end")
    #expect(try other.renew(try request()).status == 201)
  }

  @Test func `a certificate renews over its own key`() throws {
    let tenant = try server.makeTenant()
    let old = try tenant.enroll("laptop")
    let same = try KeyRequest(for: old)
    let answer = try old.renew(same)
    #expect(answer.status == 201, "\(answer)")
    #expect(try old.renew(same).body == answer.body)
    let renewed = try server.device(answer, same)
    #expect(try renewed.serialNumber != old.serialNumber)
    #expect(try renewed.call("GET", "/v1/identity").status == 200)
    #expect(try old.renew(same).text("code") == "certificate-superseded")
  }

  @Test func `when the overlap is over a certificate does not renew again`() throws {
    let tenant = try server.makeTenant()
    let terms = #"{"certificates": {"overlapSeconds": 0}}"#
    #expect(try server.call("PATCH", tenant.path, terms).status == 200)
    let old = try tenant.enroll("laptop")
    let first = try request()
    #expect(try old.renew(first).status == 201)
    #expect(try old.renew(first).text("code") == "certificate-superseded")
  }

  @Test func `a revoked certificate does not renew, nor does a key that others may have`() throws {
    let tenant = try server.makeTenant()
    let device = try tenant.enroll("laptop")
    let revoked = try server.call(
      "POST", tenant.path + "/certificates/\(try device.serialNumber)/revoke", #"{"reason": "keyCompromise"}"#
    )
    #expect(revoked.status == 200, "\(revoked)")
    let refused = try device.renew(try request())
    #expect(refused.status == 410 && refused.text("code") == "certificate-revoked", "\(refused)")
    let again = try server.enroll(
      try KeyRequest(for: device), try tenant.enrollmentToken(#"{"identity": "laptop"}"#))
    #expect(again.status == 422 && again.text("code") == "csr-invalid", "\(again)")
  }

  @Test func `renewals at once leave one living successor`() async throws {
    let tenant = try server.makeTenant()
    let old = try tenant.enroll("laptop")
    let requests = try (0..<4).map { _ in try request() }
    let answers = try await atOnce(4) { try old.renew(requests[$0]) }
    #expect(answers.map(\.status) == [201, 201, 201, 201], "\(answers)")
    let living = try zip(answers, requests).filter { answer, request in
      try server.device(answer, request).call("GET", "/v1/identity").status == 200
    }
    #expect(living.count == 1)
  }
}
