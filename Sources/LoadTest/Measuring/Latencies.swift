/// How long many things took, counted by size: each within 1.6 %, in a fixed amount of memory.
///
/// A power of two is divided into 64 equal classes, which is the idea of Gil Tene's HdrHistogram.
package struct Latencies: Sendable {
  private static let classesPerOctave = 64

  private var counts: [UInt32] = []
  package private(set) var count = 0
  /// The longest, in nanoseconds, exactly.
  package private(set) var maximum: Int64 = 0

  package init() {}

  /// Adds one, in nanoseconds.
  package mutating func add(_ nanoseconds: Int64) {
    if counts.isEmpty { counts = [UInt32](repeating: 0, count: Self.classesPerOctave * 40) }
    let index = min(Self.index(of: UInt64(max(0, nanoseconds))), counts.count - 1)
    counts[index] &+= 1
    count += 1
    maximum = max(maximum, nanoseconds)
  }

  package mutating func add(_ other: Latencies) {
    guard other.count > 0 else { return }
    if counts.isEmpty {
      self = other
      return
    }
    for index in counts.indices { counts[index] &+= other.counts[index] }
    count += other.count
    maximum = max(maximum, other.maximum)
  }

  /// The time within which this share of all (0…1) was done, in nanoseconds; nil when there was nothing.
  package func quantile(_ share: Double) -> Int64? {
    guard count > 0 else { return nil }
    let wanted = max(1, Int((share * Double(count)).rounded(.up)))
    var seen = 0
    for (index, count) in counts.enumerated() {
      seen += Int(count)
      if seen >= wanted { return min(Self.greatest(in: index), maximum) }
    }
    return maximum
  }

  private static func index(of value: UInt64) -> Int {
    guard value >= UInt64(classesPerOctave) else { return Int(value) }
    let shift = UInt64.bitWidth - 1 - value.leadingZeroBitCount - 6
    return shift * classesPerOctave + Int(value >> UInt64(shift))
  }

  private static func greatest(in index: Int) -> Int64 {
    guard index >= 2 * classesPerOctave else { return Int64(index) }
    let shift = index / classesPerOctave - 1
    let value = index - shift * classesPerOctave
    return Int64(value + 1) << Int64(shift) - 1
  }
}
