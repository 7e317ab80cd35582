/// How many hold a seat over time.
public struct Occupancy {
  private var times: [Int64] = []
  private var counts: [Int] = []

  public init(_ intervals: [Range<Int64>]) {
    let ends = intervals.filter { !$0.isEmpty }.flatMap { [($0.lowerBound, 1), ($0.upperBound, -1)] }
    var count = 0
    // Of what happens at once, ends come first: touching is not overlapping.
    for (time, change) in ends.sorted(by: { $0 < $1 }) {
      count += change
      if times.last == time {
        counts[counts.count - 1] = count
      } else {
        times.append(time)
        counts.append(count)
      }
    }
  }

  public var most: Int { counts.max() ?? 0 }

  /// The most at any time within.
  public func most(in window: ClosedRange<Int64>) -> Int {
    var (low, high) = (0, times.count)
    while low < high {
      let middle = (low + high) / 2
      if times[middle] <= window.lowerBound { low = middle + 1 } else { high = middle }
    }
    var most = low > 0 ? counts[low - 1] : 0
    while low < times.count, times[low] <= window.upperBound {
      most = max(most, counts[low])
      low += 1
    }
    return most
  }
}
