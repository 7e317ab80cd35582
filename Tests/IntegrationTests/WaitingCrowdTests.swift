import Foundation
import Reactor
import Testing

/// Waiting costs memory, and nothing else.
struct WaitingCrowdTests {
  private static let count =
    ProcessInfo.processInfo.environment["USHER_TEST_CONNECTIONS"].flatMap { Int($0) } ?? 1000

  @Test
  func `of a crowd that waits, the one whose seat is taken on another server hears of it within a second`()
    throws
  {
    OpenFileLimit.raise()
    // What is changed is changed on another server than the crowd's, where the first to come must not be idle for too
    // long before the last has.
    let other = try Installation()
    let server = try FurtherServer(of: other, environment: ["USHER_TIMEOUTS_IDLE_SECONDS": "3600"])
    let tenant = try other.makeTenant(
      seats: Self.count, authority: false, license: #", "leaseSeconds": 86400"#)
    let polls = try SeatPolls(Self.count, of: tenant, to: server.port)
    let idle = try server.process.residentBytes()
    polls.wait(0..<Self.count)
    try SeatPolls.settle(Self.count, at: server.ops, of: other)
    let each = (try server.process.residentBytes() - idle) / Self.count
    print("long poll: \(Self.count) wait, \(each) bytes each beside their connections")

    // One more, whose wait is the clock: nobody else is woken meanwhile.
    let clock = try SeatPolls(1, of: other.makeTenant(authority: false), to: server.port)
    let before = try server.process.processorTime()
    clock.wait([0], seconds: 2)
    _ = try clock.connections[0].answer()
    let used = try server.process.processorTime() - before
    print("long poll: in 2 seconds of waiting the server used \(used) of CPU")

    var times: [Duration] = []
    for index in stride(from: 0, to: Self.count, by: max(1, Self.count / 20)) {
      let start = MonotonicInstant.now
      let done = try other.call("DELETE", polls.seat(index))
      #expect(done.status == 204, "\(done)")
      let answer = try #require(try polls.connections[index].answer())
      times.append(start.duration(to: .now))
      #expect(answer.contains(#""code":"seat-not-held""#), "\(answer)")
    }
    times.sort()
    print(
      "long poll: a seat taken on the other server is told after \(times[times.count / 2]), at most \(times[times.count - 1]), curl's start included"
    )
    #expect(times[times.count - 1] < .seconds(1))
    #expect(polls.answered().isEmpty, "nobody else is woken")

    let start = MonotonicInstant.now
    #expect(
      try other.call(
        "PATCH", "\(tenant.path)/licenses/\(tenant.license)", #"{"features": {"colour": "blue"}}"#
      ).status == 200)
    var left = Self.count - times.count
    while left > 0, start.duration(to: .now) < .seconds(60) {
      let answers = polls.answered()
      #expect(answers.values.allSatisfy { $0.contains(#""colour":"blue""#) })
      left -= answers.count
    }
    print(
      "long poll: a change of the license reached all \(Self.count - times.count) within \(start.duration(to: .now))"
    )
    #expect(left == 0)
    if ProcessInfo.processInfo.environment["USHER_TEST_SANITIZER"] == nil { #expect(each < 16 * 1024) }
  }
}
