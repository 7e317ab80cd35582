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
    try await crowd.expectKept(before, seats: 600)
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
    try await crowd.expectKept(before, seats: 600)
    #expect(server.process.isRunning)
  }
}
