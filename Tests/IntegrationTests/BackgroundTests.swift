import Foundation
import Reactor
import Testing

/// What a server does besides answering.
struct BackgroundTests {
  private let server: Installation
  init() throws { server = try Installation.shared.get() }

  /// Asks again and again until the database says so.
  private func becomesTrue(_ query: String) throws -> Bool {
    let deadline = MonotonicInstant.now.advanced(by: .seconds(60))
    while try server.sql(query) != "t" {
      if MonotonicInstant.now.duration(to: deadline) <= .zero { return false }
    }
    return true
  }

  @Test func `housekeeping makes the partitions of this and the next month, and drops what nobody asks for`()
    throws
  {
    try server.sql("INSERT INTO change (kind, key, at) VALUES (7, 0, now() - interval '2 days')")
    let further = try FurtherServer(of: server)
    for month in ["now()", "now() + interval '1 month'"] {
      #expect(
        try becomesTrue(
          "SELECT to_regclass('event_' || to_char((\(month)) AT TIME ZONE 'UTC', 'YYYY_MM')) IS NOT NULL"))
    }
    #expect(try becomesTrue("SELECT count(*) = 0 FROM change WHERE at < now() - interval '1 day'"))
    withExtendedLifetime(further) {}
  }

  @Test func `that a device was there is written, at the latest when the server stops`() throws {
    let tenant = try server.makeTenant()
    let device = try tenant.enroll("one")
    let further = try FurtherServer(of: server)
    let seen =
      "SELECT seen_at > now() - interval '5 minutes' FROM identity_seen JOIN identity i ON i.id = identity_id "
      + "JOIN organization o ON o.id = i.organization_id WHERE o.slug = '\(tenant.slug)'"
    #expect(try server.sql(seen) == "")
    let answer = try server.curl([
      "--cert", device.certificate, "--key", device.key, further.device + "/v1/identity",
    ])
    #expect(answer.status == 200, "\(answer)")
    further.stop()
    #expect(try server.sql(seen) == "t")
  }

  @Test func `the last use of an API token is written, at the latest when the server stops`() throws {
    let made = try server.call("POST", "/v1/tokens", #"{"name": "ci", "role": "operator"}"#)
    let further = try FurtherServer(of: server)
    let unused = try server.sql(
      "SELECT last_used_at IS NULL FROM api_token WHERE public_id = '\(made.text("id"))'")
    #expect(unused == "t")
    let answer = try server.curl([
      "-H", "Authorization: Bearer \(made.text("token"))", further.admin + "/v1/token",
    ])
    #expect(answer.status == 200, "\(answer)")
    further.stop()
    #expect(
      try server.sql(
        "SELECT last_used_at > now() - interval '5 minutes' FROM api_token WHERE public_id = '\(made.text("id"))'"
      )
        == "t")
  }
}
