import Reactor
import Testing

@Suite struct TimerWheelTests {
  private static func at(_ milliseconds: Int64) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: milliseconds * 1_000_000)
  }

  /// The payloads that are due, in the order of their firing.
  private func due(_ wheel: inout TimerWheel<Int>, _ milliseconds: Int64) -> [Int] {
    var fired: [Int] = []
    while let payload = wheel.popDue(now: Self.at(milliseconds)) { fired.append(payload) }
    return fired
  }

  @Test(arguments: [1, 10, 11, 630, 640, 650, 10_000, 41_000, 300_000, 3_000_000, 90_000_000, 1 << 40])
  func `a timer never fires early and at most a tick late`(delay: Int64) {
    for start in [Int64(0), 7, 639, 640, 123_456] {
      var wheel = TimerWheel<Int>(now: Self.at(start))
      _ = wheel.insert(1, at: Self.at(start + delay))
      #expect(due(&wheel, start + delay - 1) == [])
      #expect(due(&wheel, start + delay + 10) == [1])
      #expect(wheel.count == 0)
      #expect(wheel.nextLook == nil)
    }
  }

  @Test func `following the wheel's own advice finds every timer in time`() {
    var wheel = TimerWheel<Int>(now: Self.at(5))
    var random = SystemRandomNumberGenerator()
    let deadlines = (0..<2_000).map { _ in Int64.random(in: 1...2_000_000, using: &random) }
    for (index, deadline) in deadlines.enumerated() { _ = wheel.insert(index, at: Self.at(deadline)) }
    var found = 0
    var looks = 0
    while let look = wheel.nextLook {
      looks += 1
      let now = look.nanoseconds / 1_000_000
      for index in due(&wheel, now) {
        found += 1
        #expect(now >= deadlines[index] && now <= max(deadlines[index], 5) + 20)
      }
    }
    #expect(found == deadlines.count)
    #expect(looks < 3 * deadlines.count)
  }

  @Test func `timers of different ticks fire in the order of time`() {
    var wheel = TimerWheel<Int>(now: Self.at(0))
    for delay in [5_000, 20, 700, 60_000, 41_000] { _ = wheel.insert(delay, at: Self.at(Int64(delay))) }
    #expect(due(&wheel, 100_000) == [20, 700, 5_000, 41_000, 60_000])
  }

  @Test func `a cancelled timer does not fire, and its id is never another's`() {
    var wheel = TimerWheel<Int>(now: Self.at(0))
    let first = wheel.insert(1, at: Self.at(100))
    #expect(wheel.cancel(first) == 1)
    #expect(wheel.cancel(first) == nil)
    let second = wheel.insert(2, at: Self.at(100))
    #expect(wheel.cancel(first) == nil)
    #expect(due(&wheel, 200) == [2])
    #expect(wheel.cancel(second) == nil)
  }

  @Test func `what a timer does may cancel one that is due with it`() {
    var wheel = TimerWheel<Int>(now: Self.at(0))
    let ids = [wheel.insert(0, at: Self.at(50)), wheel.insert(1, at: Self.at(50))]
    let first = wheel.popDue(now: Self.at(100))
    #expect(wheel.cancel(ids[1 - first!]) == 1 - first!)
    #expect(wheel.popDue(now: Self.at(100)) == nil)
  }

  @Test func `a deadline in the past is due at the next tick`() {
    var wheel = TimerWheel<Int>(now: Self.at(1_000))
    _ = wheel.insert(1, at: Self.at(3))
    #expect(due(&wheel, 1_000) == [])
    #expect(due(&wheel, 1_010) == [1])
  }

  @Test func `a model of a sorted list agrees over a long random life`() {
    var wheel = TimerWheel<Int>(now: Self.at(0))
    var model: [Int: (id: TimerID, deadline: Int64)] = [:]
    var now: Int64 = 0
    for step in 0..<20_000 {
      switch Int.random(in: 0..<4) {
      case 0, 1:
        let deadline = now + Int64.random(in: 1...Int64(1 << Int.random(in: 1...22)))
        model[step] = (wheel.insert(step, at: Self.at(deadline)), deadline)
      case 2:
        guard let victim = model.keys.randomElement() else { continue }
        #expect(wheel.cancel(model[victim]!.id) == victim)
        model[victim] = nil
      default:
        now += Int64.random(in: 0...Int64(1 << Int.random(in: 1...16)))
        for payload in due(&wheel, now) {
          #expect(model[payload]!.deadline <= now)
          model[payload] = nil
        }
        #expect(!model.values.contains { $0.deadline + 20 < now })
      }
      #expect(wheel.count == model.count)
    }
  }
}
