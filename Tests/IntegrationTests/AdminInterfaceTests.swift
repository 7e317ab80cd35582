import Fixtures
import Foundation
import Testing

/// What admins do beside changing one thing after the other, over real connections.
struct AdminInterfaceTests {
  private let server: Installation
  init() throws { server = try Installation.shared.get() }

  @Test func `an admin identity does something once by its certificate, which the audit trail names`() throws
  {
    let tenant = try server.makeTenant()
    let chief = try tenant.enroll("chief")
    let raised = try server.call("PATCH", tenant.path + "/identities/chief", #"{"role": "admin"}"#)
    #expect(raised.status == 200, "\(raised)")
    let arguments = [
      "-H", "Content-Type: application/json", "-H", "Idempotency-Key: \(UUID())", "--data-binary",
      #"{"identity": "laptop"}"#,
    ]
    let first = try chief.call("POST", tenant.path + "/enrollments", arguments)
    #expect(first.status == 201 && first.headers["idempotent-replayed"] == nil, "\(first)")
    let again = try chief.call("POST", tenant.path + "/enrollments", arguments)
    #expect(again.status == 201 && again.headers["idempotent-replayed"] == "true" && again.body == first.body)

    let events = try server.call("GET", tenant.path + "/events?type=enrollment.created")
    let data = try #require(events["data"] as? [[String: Any]])
    let own = data.compactMap { $0["actor"] as? [String: Any] }.filter { $0["kind"] as? String == "identity" }
    #expect(own.count == 1, "\(events)")
    let certificate = own.first?["certificate"] as? [String: Any]
    #expect(certificate?["serialNumber"] as? String == (try chief.serialNumber).lowercased())
  }

  @Test func `the first admin comes in by the setup token, and imports more than a body usually holds`()
    throws
  {
    let slug = "org-" + UUID().uuidString.lowercased().prefix(8)
    let made = try server.call(
      "POST", "/v1/organizations", #"{"slug": "\#(slug)", "name": "New", "admin": {"name": "Ann"}}"#)
    #expect(made.status == 201, "\(made)")
    let token = try server.curl([
      "-H", "Content-Type: application/json", "--data-binary",
      #"{"setupToken": "\#(made.text("setupToken"))"}"#, server.admin + "/v1/setup",
    ])
    #expect(token.status == 201, "\(token)")
    let path = "/v1/organizations/\(slug)"
    let lines = (1...300).map {
      #"{"method": "POST", "path": "\#(path)/identities", "body": {"name": "device-\#($0)", "metadata": {"note": "\#(String(repeating: "x", count: 200))"}}}"#
    }
    let file = try server.folder.write(lines.joined(separator: "\n"), to: UUID().uuidString)
    func send() throws -> Answer {
      try server.curl([
        "-H", "Authorization: Bearer \(token.text("token"))", "-H", "Content-Type: application/x-ndjson",
        "-H", "Idempotency-Key: import", "--max-time", "300", "--data-binary", "@" + file,
        server.admin + "/v1/bulk",
      ])
    }
    for isAgain in [false, true] {
      let answer = try send()
      #expect(answer.status == 200, "\(answer)")
      let results = answer.body.split(separator: "\n")
      #expect(results.count == 300 && results.allSatisfy { $0.contains(#""status":201"#) })
      #expect(results.allSatisfy { $0.contains(#""replayed":true"#) } == isAgain)
    }
    let export = try server.call("GET", path + "/events/export?type=identity.created")
    #expect(export.body.split(separator: "\n").count == 300)
    #expect(export.headers["content-type"] == "application/x-ndjson")
  }
}
