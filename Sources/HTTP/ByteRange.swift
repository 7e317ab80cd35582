/// A piece of a request's head, as two small integers.
struct ByteRange: Sendable, Hashable {
  private let low: UInt32
  private let high: UInt32

  init(_ start: Int, _ end: Int) {
    low = UInt32(truncatingIfNeeded: start)
    high = UInt32(truncatingIfNeeded: end)
  }

  var start: Int { Int(low) }
  var end: Int { Int(high) }
  var isEmpty: Bool { low == high }
  var indices: Range<Int> { start..<end }
}
