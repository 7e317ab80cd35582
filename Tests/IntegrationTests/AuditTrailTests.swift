import Fixtures
import Foundation
import Reactor
import Testing

/// The chain of events over a whole server, as an auditor meets it.
@Suite(.serialized) struct AuditTrailTests {
  private let server: Installation
  private let tenant: Tenant
  private let folder: TemporaryFolder

  init() throws {
    server = try Installation()
    tenant = try server.makeTenant()
    folder = try TemporaryFolder()
  }

  /// Asks until every event that the database has is sealed; the head then.
  private func sealedHead() throws -> Answer {
    let events =
      "FROM event e JOIN organization o ON o.id = e.organization_id WHERE o.slug = '\(tenant.slug)'"
    let deadline = MonotonicInstant.now.advanced(by: .seconds(60))
    while true {
      let head = try server.call("GET", tenant.path + "/events/head")
      if head.status == 200, "\(head.number("position"))" == (try server.sql("SELECT count(*) \(events)")) {
        return head
      }
      guard MonotonicInstant.now.duration(to: deadline) > .zero else { throw Shell.Failure("\(head)") }
    }
  }

  private func verify(_ arguments: String...) throws -> Finished {
    try Shell.run(Installation.usher, ["audit", "verify"] + arguments)
  }

  @Test func `a server that is killed between an effect and its seal loses nothing, and tampering is found`()
    throws
  {
    for number in 0..<20 {
      let body = #"{"name": "person-\#(number)"}"#
      #expect(try server.call("POST", tenant.path + "/identities", body).status == 201)
    }
    server.kill()
    try server.restart()
    let head = try sealedHead()
    #expect(head.number("position") >= 22, "\(head)")
    let config = server.data + "/usher.json"
    let keys = try folder.write(server.curl([server.admin + "/v1/jwks.json"]).body, to: "jwks.json")
    let kept = try folder.write(head.text("token"), to: "head")
    let clean = try verify("--config", config, "--head", kept, "--jwks", keys)
    #expect(clean.status == 0 && clean.output.contains("SUCCESS: \(tenant.slug)"), "\(clean)")

    let path = tenant.path + "/identities/person-3?erase=true"
    #expect(try server.call("DELETE", path).status == 204)
    _ = try sealedHead()
    let exported = try server.call("GET", tenant.path + "/events/export").body
    let export = try folder.write(exported, to: "export")
    let after = try verify("--config", config, "--export", export, "--head", kept, "--jwks", keys)
    #expect(after.status == 0 && after.output.split(separator: "\n").count >= 3, "\(after)")

    let lines = exported.split(separator: "\n").map(String.init)
    for (name, forged, fault) in [
      (
        "altered", lines.map { $0.replacingOccurrences(of: "license.created", with: "license.deleted") },
        "altered"
      ),
      ("missing", Array(lines[..<3] + lines[4...]), "missing"), ("cut", Array(lines[..<5]), "went to"),
    ] as [(String, [String], String)] {
      let file = try folder.write(forged.map { "\($0)\n" }.joined(), to: name)
      let said = try verify("--export", file, "--head", kept)
      #expect(said.status == 1 && said.output.contains(fault), "\(name): \(said)")
    }
    let position = try server.sql(
      """
      UPDATE event e SET type = 'forged' FROM sealed_event s, organization o WHERE o.slug = '\(tenant.slug)'
        AND s.organization_id = o.id AND s.position = 4 AND e.organization_id = o.id AND e.at = s.at
        AND e.id = s.event_id RETURNING s.position
      """)
    let altered = try verify("--config", config, "--organization", tenant.slug)
    #expect(
      altered.status == 1
        && altered.output == "FAILURE: \(tenant.slug): event \(position) was altered, "
          + "or stands in another's place\n",
      "\(altered)")
  }
}
