import Fixtures
import Foundation
import Reactor
import Testing

/// Whatever befalls PostgreSQL: nothing that was acknowledged is lost, nothing is oversold, who was not answered asks again
/// and gets the right answer, and no server needs a restart.
@Suite(.serialized) struct DatabaseFaultTests {
  @Test(
    .enabled(if: SmallDisk.isPossible, "it takes an account that may mount a disk"),
    arguments: [false, true])
  func `a disk that is full is waited for, even where the log finds no room`(needsLog: Bool) async throws {
    let disk = Lock<SmallDisk?>(nil)
    let server = try Installation { data in
      let new = try SmallDisk(at: data, megabytes: 160)
      disk.withLock { $0 = new }
    }
    let small = try #require(disk.withLock { $0 })
    defer {
      server.stop()
      small.unmount()
    }
    let crowd = try Crowd(120, of: server.makeTenant(seats: 80, authority: false))
    let before = await crowd.claim(crowd.everybody) { granted in
      guard granted == 30 else { return }
      #expect(throws: Never.self) { try small.fill() }
      // PostgreSQL ends when it cannot write its log, and cannot start before it can.
      if needsLog { _ = try? server.sql("SELECT pg_switch_wal()") }
    }
    #expect(before.held.count >= 30)
    #expect(!before.unknown.isEmpty && before.unknown.allSatisfy { $0.value.retryAfter != nil })
    let checked = await crowd.check(Set(before.held.keys))
    #expect(checked.held == before.held, "held seats are answered from memory")
    try small.makeRoom()
    try server.waits(untilReady: true)
    try await crowd.expectKept(before, seats: 80)
    #expect(server.process.isRunning)
  }

  @Test func `a database without a free connection is waited for`() throws {
    let server = try Installation()
    let tenant = try server.makeTenant(seats: 2)
    let (holder, late) = (try tenant.enroll("holder"), try tenant.enroll("late"))
    let sessions = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
    let without = try #require(Int(try server.sql(sessions)))
    let relay = try Relay(to: server)
    defer { withExtendedLifetime(relay) {} }
    let other = try FurtherServer(of: server, database: relay.url(of: server))
    let seat = "/v1/seats/\(tenant.product)"
    #expect(try other.call(holder, "PUT", seat).status == 201)

    relay.set(.cut)
    while try #require(Int(try server.sql(sessions))) > without {}
    let hoard = try SessionHoard(of: server.socketFolder, user: "usher", database: "usher")
    relay.set(.carrying)
    let readiness = try other.waits(untilReady: false)
    let (claim, claimTime) = try Stopwatch.time { try other.call(late, "PUT", seat) }
    #expect(claim.status == 503 && claim.headers["retry-after"] != nil, "\(claim)")
    let (check, checkTime) = try Stopwatch.time { try other.call(holder, "GET", seat) }
    #expect(check.status == 200 && claimTime < .seconds(4) && checkTime < .seconds(2), "\(check)")
    #expect(try server.call("GET", tenant.path).status == 200, "who has connections keeps them")
    print("no connections: \(readiness.body)")

    hoard.release()
    try other.waits(untilReady: true)
    #expect(try other.call(late, "PUT", seat).status == 201)
    #expect(try other.call(holder, "PUT", seat).status == 200)
    #expect(try tenant.faults() == [])
  }

  @Test(arguments: [Relay.Mode.tearingRequests, .tearingAfterRequests, .tearingAnswers])
  func `a commit whose answer is torn off is asked for again`(_ mode: Relay.Mode) async throws {
    let server = try Installation.shared.get()
    let relay = try Relay(to: server)
    defer { withExtendedLifetime(relay) {} }
    let other = try FurtherServer(of: server, database: relay.url(of: server))
    let crowd = try Crowd(30, of: server.makeTenant(seats: 20, authority: false), at: other.device)
    relay.set(mode)
    let before = await crowd.claim(crowd.everybody)
    // A refusal changes nothing, and is not torn off.
    #expect(before.held.isEmpty && (before.refusals.isEmpty || mode == .tearingAnswers))
    #expect(before.unknown.allSatisfy { $0.value.retryAfter != nil }, "\(before.unknown)")
    #expect(try mode == .tearingRequests || !crowd.tenant.seats().isEmpty)
    relay.set(.carrying)
    try other.waits(untilReady: true)
    try await crowd.expectKept(before, seats: 20)
  }

  @Test func `after a failover everything is there that was acknowledged`() async throws {
    let server = try Installation()
    let standby = try Standby(of: server)
    let other = try FurtherServer(of: server, database: standby.urlOfBoth)
    let crowd = try Crowd(120, of: server.makeTenant(seats: 80, authority: false), at: other.device)
    let postmaster = try server.postmaster
    let before = await crowd.claim(crowd.everybody) { granted in
      guard granted == 30 else { return }
      // First whoever would start it again.
      server.kill()
      server.signal(SIGKILL, [postmaster])
    }
    #expect(before.held.count >= 30 && !before.unknown.isEmpty)
    let checked = await crowd.check(Set(before.held.keys))
    #expect(checked.held == before.held, "held seats are answered from memory")
    try standby.promote()
    server.movedTo = standby.url
    let (_, time) = try Stopwatch.time { try other.waits(untilReady: true) }
    print("failover: ready \(time) after the promotion")
    try await crowd.expectKept(before, seats: 80)
  }

  @Test func `a batch that waits for a lock keeps no other organization waiting`() async throws {
    let server = try Installation.shared.get()
    let (stuck, free) = (try server.makeTenant(), try server.makeTenant(seats: 10))
    let devices = (try stuck.enroll("stuck"), try free.enroll("holder"), try free.enroll("newcomer"))
    #expect(try devices.1.claim(free.product).status == 201)
    let lock = try DatabaseLock(
      """
      SELECT seat_lock(l.organization_id, l.product_id) FROM license l WHERE l.public_id = '\(stuck.license)'
      """, in: server)
    let answers = Lock<[Int]>([])
    async let waiting: [Void] = atOnce(1) { _ in
      let answer = try devices.0.claim(stuck.product)
      answers.withLock { $0.append(answer.status) }
    }
    try lock.waitForWaiter()
    for _ in 0..<3 {
      let (checks, time) = try Stopwatch.time {
        [
          try devices.1.check(free.product).status, try devices.1.call("GET", "/v1/identity").status,
          try devices.2.claim(free.product).status,
        ]
      }
      #expect(
        checks[0] == 200 && checks[1] == 200 && checks[2] < 300 && time < .seconds(3), "\(checks), \(time)")
    }
    #expect(
      answers.withLock { $0.allSatisfy { $0 == 503 } }, "as long as the lock is held nobody is granted a seat"
    )
    try lock.release()
    _ = try await waiting
    #expect(try devices.0.claim(stuck.product).status < 300)
  }
}
