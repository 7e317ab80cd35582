/// Timers by the hundred thousand: setting and cancelling one is a few memory writes, whatever else is set.
///
/// A hierarchical wheel in ticks of 10 ms: seven levels of 64 slots, each level 64 times as coarse as the one below
/// (0.64 s, 41 s, 44 min, …), which covers every `MonotonicInstant`. A timer lies on the level of the highest base-64 digit in which its tick
/// differs from the current one, and moves down when time reaches its slot. It never fires early, and at most a
/// tick late. The wheel knows no clock: time comes in from outside.
package struct TimerWheel<Payload> {
  private typealias Index = Int32

  /// A timer, linked into the list of its slot. Free nodes are linked through `next`.
  private struct Node {
    var payload: Payload?
    var tick: Int64 = 0
    var next: Index = -1
    var previous: Index = -1
    /// Where it lies: `level * 64 + slot`, or `dueList`.
    var list = 0
    /// How often this node has been used, so that an old `TimerID` finds nobody.
    var generation: UInt32 = 0
  }

  private static var levels: Int { 7 }
  private static var dueList: Int { levels * 64 }
  private static var nanosecondsPerTick: Int64 { 10_000_000 }

  private var nodes: [Node] = []
  private var firstFree: Index = -1
  private var heads = [Index](repeating: -1, count: dueList + 1)
  private var occupied = [UInt64](repeating: 0, count: levels)
  private var current: Int64
  /// How many timers are set.
  package private(set) var count = 0

  package init(now: MonotonicInstant) { current = now.nanoseconds / Self.nanosecondsPerTick }

  /// Sets a timer that is due at `deadline`.
  package mutating func insert(_ payload: Payload, at deadline: MonotonicInstant) -> TimerID {
    let (whole, part) = deadline.nanoseconds.quotientAndRemainder(dividingBy: Self.nanosecondsPerTick)
    let index = takeNode()
    nodes[Int(index)].payload = payload
    nodes[Int(index)].tick = max(whole + (part > 0 ? 1 : 0), current + 1)
    link(index)
    count += 1
    return TimerID(index: index, generation: nodes[Int(index)].generation)
  }

  /// Takes a timer back. One that fired or was cancelled already is nobody's: nil.
  @discardableResult
  package mutating func cancel(_ id: TimerID) -> Payload? {
    guard nodes.indices.contains(Int(id.index)), nodes[Int(id.index)].generation == id.generation else {
      return nil
    }
    return remove(id.index)
  }

  /// Takes out one timer that is due at `now`, those of earlier ticks first; nil when there is none (left).
  ///
  /// One at a time, so that what a timer does may cancel another that is due with it.
  package mutating func popDue(now: MonotonicInstant) -> Payload? {
    if heads[Self.dueList] < 0 { advance(to: now.nanoseconds / Self.nanosecondsPerTick) }
    let first = heads[Self.dueList]
    return first < 0 ? nil : remove(first)
  }

  /// When to look again: not after the earliest timer is due, but possibly before, to move timers down a level.
  package var nextLook: MonotonicInstant? {
    let tick = heads[Self.dueList] >= 0 ? current : nextSlot?.tick
    return tick.map { MonotonicInstant(nanoseconds: $0 * Self.nanosecondsPerTick) }
  }

  /// The next slot with timers in it, and the tick at which it begins.
  private var nextSlot: (list: Int, tick: Int64)? {
    for level in 0..<Self.levels where occupied[level] != 0 {
      let slot = occupied[level].trailingZeroBitCount
      let above = current & (-1 << (6 * (level + 1)))
      return (level * 64 + slot, above + Int64(slot) << (6 * level))
    }
    return nil
  }

  /// Moves time on to the first slot with due timers, or to `target` when nothing is due until then.
  private mutating func advance(to target: Int64) {
    while heads[Self.dueList] < 0, let (list, tick) = nextSlot, tick <= target {
      current = tick
      var index = heads[list]
      heads[list] = -1
      occupied[list / 64] &= ~(1 << (list % 64))
      while index >= 0 {
        let following = nodes[Int(index)].next
        link(index)
        index = following
      }
    }
    if heads[Self.dueList] < 0 { current = max(current, target) }
  }

  private mutating func link(_ index: Index) {
    let tick = nodes[Int(index)].tick
    let list: Int
    if tick <= current {
      list = Self.dueList
    } else {
      let level = (63 - (tick ^ current).leadingZeroBitCount) / 6
      let slot = Int(tick >> (6 * level) & 63)
      occupied[level] |= 1 << slot
      list = level * 64 + slot
    }
    let head = heads[list]
    nodes[Int(index)].list = list
    nodes[Int(index)].next = head
    nodes[Int(index)].previous = -1
    if head >= 0 { nodes[Int(head)].previous = index }
    heads[list] = index
  }

  private mutating func remove(_ index: Index) -> Payload? {
    let node = nodes[Int(index)]
    if node.previous >= 0 { nodes[Int(node.previous)].next = node.next } else { heads[node.list] = node.next }
    if node.next >= 0 { nodes[Int(node.next)].previous = node.previous }
    if heads[node.list] < 0, node.list < Self.dueList { occupied[node.list / 64] &= ~(1 << (node.list % 64)) }
    nodes[Int(index)].payload = nil
    nodes[Int(index)].generation &+= 1
    nodes[Int(index)].next = firstFree
    firstFree = index
    count -= 1
    return node.payload
  }

  private mutating func takeNode() -> Index {
    guard firstFree >= 0 else {
      nodes.append(Node())
      return Index(nodes.count - 1)
    }
    let index = firstFree
    firstFree = nodes[Int(index)].next
    return index
  }
}
