/// The sources of a loop by their once-used ids: a slot's number and how often the slot has been used.
struct SourceTable {
  private struct Slot {
    var source: (any EventSource)?
    var generation: UInt32 = 1
  }

  private var slots: [Slot] = []
  private var free: [UInt32] = []
  var count: Int { slots.count - free.count }

  subscript(id: UInt64) -> (any EventSource)? {
    let index = Int(UInt32(truncatingIfNeeded: id))
    guard index < slots.count, slots[index].generation == id >> 32 else { return nil }
    return slots[index].source
  }

  /// Ids are never 0: that is the loop's own doorbell.
  mutating func insert(_ source: any EventSource) -> UInt64 {
    let index: UInt32
    if let reused = free.popLast() {
      index = reused
    } else {
      index = UInt32(slots.count)
      slots.append(Slot())
    }
    slots[Int(index)].source = source
    return UInt64(slots[Int(index)].generation) << 32 | UInt64(index)
  }

  /// False when nobody (any longer) has this id.
  mutating func remove(_ id: UInt64) -> Bool {
    guard self[id] != nil else { return false }
    let index = UInt32(truncatingIfNeeded: id)
    slots[Int(index)].source = nil
    slots[Int(index)].generation = max(slots[Int(index)].generation &+ 1, 1)
    free.append(index)
    return true
  }
}
