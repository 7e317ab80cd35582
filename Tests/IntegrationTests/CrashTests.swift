import Fixtures
import Foundation
import Testing

/// What was promised before a crash is kept after it.
@Suite(.serialized) struct CrashTests {
  private let server: Installation
  private let tenant: Tenant
  private let crowd: Crowd

  init() throws {
    server = try Installation()
    tenant = try server.makeTenant(seats: 600, authority: false)
    crowd = try Crowd(1000, of: tenant)
  }

  @Test func `kill -9 of the server loses no acknowledged seat`() async throws {
    let before = await crowd.claim(crowd.everybody) { [server] granted in
      if granted == 300 { server.kill() }
    }
    #expect(before.held.count >= 300 && before.unknown.count > 300 && before.refusals.isEmpty)
    let orphan = try server.postmaster
    try server.restart()
    #expect(try server.postmaster == orphan, "the PostgreSQL that was left alone is adopted")
    try await expectKept(before)
  }

  @Test func `kill -9 of PostgreSQL loses no acknowledged seat, and needs no restart of the server`()
    async throws
  {
    let postmaster = try server.postmaster
    let before = await crowd.claim(crowd.everybody) { [server] granted in
      if granted == 300 { server.signal(SIGKILL, [postmaster]) }
    }
    #expect(before.held.count >= 300)
    let vague = before.unknown.filter { $0.value.retryAfter == nil }
    #expect(
      !before.unknown.isEmpty && vague.isEmpty, "each that got no seat was told when to ask again: \(vague)")
    try server.waits(untilReady: true)
    #expect(try server.postmaster != postmaster, "PostgreSQL was started again")
    try await expectKept(before)
    #expect(server.process.isRunning)
  }

  /// Nothing is missing now, and whoever was not answered gets an answer.
  private func expectKept(_ before: [Int: Crowd.Outcome]) async throws {
    #expect(try tenant.faults() == [])
    let kept = try tenant.seats()
    #expect(before.held.filter { kept[$0.key] != $0.value } == [:], "acknowledged, and not in the database")

    let checked = await crowd.check(Set(before.held.keys))
    #expect(checked.held == before.held, "\(checked.filter { before.held[$0.key] == nil })")

    let after = await crowd.claim(Set(before.unknown.keys))
    #expect(after.unknown.isEmpty, "\(after.unknown)")
    let refusals = before.refusals.merging(after.refusals) { $1 }
    #expect(before.held.count + after.held.count == 600 && refusals.count == 400)
    #expect(refusals.allSatisfy { $0.value == "no-seat-available" }, "\(Set(refusals.values))")
    // Seats that were granted when nobody could be told any more are still the same ones.
    let found = after.held.filter { kept[$0.key] != nil }
    #expect(found.allSatisfy { kept[$0.key] == $0.value })
    print(
      "crash: \(before.held.count) acknowledged before, \(found.count) granted unheard, \(after.held.count) after"
    )

    #expect(try tenant.faults() == [])
    #expect(try tenant.seats() == before.held.merging(after.held) { $1 })
  }
}
