/// What happened on one loop, or in one second, or in all: latencies and failures by operation.
package struct Tally: Sendable {
  package private(set) var latencies: [Operation: Latencies] = [:]
  /// How often what went wrong, by operation: the problem's code, the alert, or the error of the connection.
  package private(set) var failures: [Operation: [String: Int]] = [:]

  package init() {}

  package mutating func succeeded(_ operation: Operation, nanoseconds: Int64) {
    latencies[operation, default: Latencies()].add(nanoseconds)
  }

  package mutating func failed(_ operation: Operation, _ reason: String) {
    failures[operation, default: [:]][reason, default: 0] += 1
  }

  package mutating func add(_ other: Tally) {
    for (operation, more) in other.latencies { latencies[operation, default: Latencies()].add(more) }
    for (operation, reasons) in other.failures {
      for (reason, count) in reasons { failures[operation, default: [:]][reason, default: 0] += count }
    }
  }

  /// All operations taken together.
  package var all: Latencies {
    latencies.values.reduce(into: Latencies()) { $0.add($1) }
  }

  package var isEmpty: Bool { successCount + failureCount == 0 }
  package var successCount: Int { latencies.values.reduce(0) { $0 + $1.count } }
  package var failureCount: Int { failures.values.reduce(0) { $0 + $1.values.reduce(0, +) } }
}
