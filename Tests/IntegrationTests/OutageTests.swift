import Fixtures
import Foundation
import Testing

/// While PostgreSQL is away the server answers what it knows, refuses the rest at once, and needs nobody afterwards.
@Suite(.serialized) struct OutageTests {
  private let server: Installation
  private let tenant: Tenant
  private let holder: Device
  private let other: Device

  init() throws {
    server = try Installation()
    tenant = try server.makeTenant(seats: 2)
    holder = try tenant.enroll("holder")
    other = try tenant.enroll("other")
    #expect(try holder.claim(tenant.product).status == 201)
  }

  @Test func `PostgreSQL stopped by hand is waited for`() throws {
    try server.stopPostgres()
    try expectOutage()
    try server.startPostgres()
    try expectRecovery()
  }

  @Test func `PostgreSQL that hangs is noticed`() throws {
    let processes = try server.postgresProcesses()
    server.signal(SIGSTOP, processes)
    defer { server.signal(SIGCONT, processes) }
    try expectOutage()
    server.signal(SIGCONT, processes)
    try expectRecovery()
  }

  private func expectOutage() throws {
    // The first to ask may have to find out; then it is known.
    let (first, firstTime) = try Stopwatch.time { try other.claim(tenant.product) }
    #expect(first.status == 503 && firstTime < .seconds(8), "\(first) after \(firstTime)")
    let readiness = try server.waits(untilReady: false)
    print("outage: first claim after \(firstTime), then \(readiness.body)")
    let checks = try #require(readiness["checks"] as? [[String: Any]])
    let bad = checks.filter { $0["ok"] as? Bool == false }
    // Which of the two notices first depends on how it went away.
    #expect(bad.contains { ["database", "changes"].contains($0["name"] as? String) }, "\(readiness)")
    #expect(bad.allSatisfy { ($0["detail"] as? String)?.isEmpty == false })

    let (claim, claimTime) = try Stopwatch.time { try other.claim(tenant.product) }
    #expect(claim.status == 503 && claim.text("code") == "storage-unavailable", "\(claim)")
    #expect((1...60).contains(Int(claim.headers["retry-after"] ?? "") ?? 0), "\(claim.headers)")
    let (check, checkTime) = try Stopwatch.time { try holder.check(tenant.product) }
    #expect(check.status == 200 && check.text("identity") == "holder", "\(check)")
    #expect(claimTime < .seconds(1) && checkTime < .seconds(1), "\(claimTime), \(checkTime)")
    print("outage: 503 after \(claimTime), a check from memory after \(checkTime), curl's start included")
    #expect(try server.curl([server.ops + "/livez"]).status == 200)
    #expect(try server.call("POST", "/v1/organizations", #"{"slug": "late", "name": "Late"}"#).status == 503)
  }

  private func expectRecovery() throws {
    let (_, time) = try Stopwatch.time { try server.waits(untilReady: true) }
    print("outage: ready again after \(time)")
    let claim = try other.claim(tenant.product)
    #expect(claim.status == 201, "\(claim)")
    #expect(try holder.claim(tenant.product).status == 200)
    #expect(try tenant.faults() == [])
    #expect(server.process.isRunning)
  }
}
