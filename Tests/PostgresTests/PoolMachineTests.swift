import Testing

@testable import Postgres

/// Connections that come and go, and who gets them.
@Suite struct PoolMachineTests {
  typealias Machine = PoolMachine<String>

  @Test func `who comes while the first attempt is under way waits for it`() {
    var machine = Machine(.exclusive, homes: [0, 1])
    #expect(machine.problem == "not connected yet")
    #expect(Reply(machine.request(1, near: nil)) == .wait)
    #expect(Reply(machine.request(2, near: nil)) == .wait)
    #expect(machine.connected(0, "a").map(\.waiter) == [1])
    #expect(machine.connected(1, "b").map(\.waiter) == [2])
    #expect(machine.problem == nil)
  }

  @Test func `who comes while nothing could be connected lately is refused at once`() {
    var machine = Machine(.exclusive, homes: [0, 0])
    #expect(Reply(machine.request(1, near: nil)) == .wait)
    #expect(machine.ended(0, because: "refused", chance: 1)?.refused == [])
    #expect(machine.ended(1, because: "refused", chance: 1)?.refused == [1])
    #expect(Reply(machine.request(2, near: nil)) == .refuse)
    #expect(machine.rested(0) == true)
    #expect(Reply(machine.request(3, near: nil)) == .refuse)
    #expect(machine.problem == "refused")
    #expect(machine.connected(0, "a").count == 0)
    #expect(Reply(machine.request(4, near: nil)) == .take("a"))
  }

  @Test func `one exclusive connection serves one after the other, in the order of asking`() throws {
    var machine = Machine(.exclusive, homes: [0])
    _ = machine.connected(0, "a")
    let somelease = machine.take(near: 0)
    let lease = try #require(somelease)
    #expect(machine.take(near: 0) == nil)
    for waiter in 1...3 as ClosedRange<UInt64> { #expect(Reply(machine.request(waiter, near: 0)) == .wait) }
    #expect(machine.gaveUp(2) == true)
    #expect(machine.gaveUp(2) == false)
    let somenext = machine.release(lease)
    let next = try #require(somenext)
    #expect(next.waiter == 1)
    #expect(machine.release(next.lease)?.waiter == 3)
    #expect(machine.gaveUp(3) == false)
  }

  @Test func `a lease of a lost connection gives nothing back`() throws {
    var machine = Machine(.exclusive, homes: [0])
    _ = machine.connected(0, "a")
    let somelease = machine.take(near: nil)
    let lease = try #require(somelease)
    #expect(machine.ended(0, because: "lost", chance: 1) != nil)
    #expect(machine.release(lease) == nil)
    #expect(machine.rested(0) == true)
    #expect(machine.connected(0, "b").count == 0)
    #expect(machine.release(lease) == nil)
    #expect(machine.take(near: nil)?.connection == "b")
  }

  @Test func `a shared connection serves everybody`() {
    var machine = Machine(.shared, homes: [0])
    for waiter in 1...3 as ClosedRange<UInt64> { #expect(Reply(machine.request(waiter, near: 0)) == .wait) }
    #expect(machine.connected(0, "a").map(\.waiter) == [1, 2, 3])
    #expect(Reply(machine.request(4, near: 0)) == .take("a"))
    #expect(Reply(machine.request(5, near: 0)) == .take("a"))
  }

  @Test func `the connection of one's own loop comes first, then any in turn`() {
    var machine = Machine(.shared, homes: [0, 1, 0])
    for (slot, connection) in ["a", "b", "c"].enumerated() { _ = machine.connected(slot, connection) }
    #expect((0..<3).map { _ in machine.take(near: 1)?.connection } == ["b", "b", "b"])
    #expect(Set((0..<2).map { _ in machine.take(near: 0)?.connection }) == ["a", "c"])
    #expect(Set((0..<3).map { _ in machine.take(near: nil)?.connection }) == ["a", "b", "c"])
    _ = machine.ended(1, because: "lost", chance: 1)
    #expect(machine.take(near: 1) != nil)
  }

  @Test func `rests grow to a limit, with jitter, and begin again after a success`() {
    var machine = Machine(.shared, homes: [0])
    var rests: [Duration] = []
    for _ in 0..<7 {
      rests.append(machine.ended(0, because: "refused", chance: 1)?.rest ?? .zero)
      #expect(machine.rested(0) == true)
    }
    #expect(rests.map(\.milliseconds) == [50, 100, 200, 400, 800, 1000, 1000])
    #expect(machine.ended(0, because: "refused", chance: 0)?.rest == .milliseconds(500))
    _ = machine.rested(0)
    _ = machine.connected(0, "a")
    #expect(machine.ended(0, because: "lost", chance: 1)?.rest == .milliseconds(25))
    #expect(Reply(machine.request(1, near: nil)) == .wait)
    _ = machine.rested(0)
    #expect(machine.ended(0, because: "refused", chance: 1)?.rest == .milliseconds(50))
  }

  @Test func `a closed pool refuses, and makes no more connections`() {
    var machine = Machine(.exclusive, homes: [0])
    _ = machine.connected(0, "a")
    machine.close()
    #expect(Reply(machine.request(1, near: nil)) == .refuse)
    #expect(machine.ended(0, because: "closed", chance: 0) == nil)
    #expect(machine.rested(0) == false)
    #expect(machine.problem == "closed")
  }

  enum Reply: Equatable {
    case take(String)
    case wait
    case refuse

    init(_ answer: Machine.Answer) {
      switch answer {
      case .take(let lease): self = .take(lease.connection)
      case .wait: self = .wait
      case .refuse: self = .refuse
      }
    }
  }
}
