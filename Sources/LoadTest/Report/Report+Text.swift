extension Report.Second {
  /// One line while it runs.
  package var line: String {
    var words = ["\(Int(from.seconds + length.seconds + 0.5)) s", "\(Figure.count(rate))/s"]
    if let median { words.append("p50 \(Figure.time(median))") }
    if let p99 { words.append("p99 \(Figure.time(p99))") }
    if openConnections > 0 { words.append("\(openConnections) open") }
    if let processor, operations > 0 {
      words.append("server \(Figure.time(processor / Int64(operations)))/op")
    }
    if failures > 0 { words.append("\(failures) FAILED") }
    return words.joined(separator: "  ")
  }
}

extension Report {
  /// The table for people.
  package var text: String {
    var rows = [["", "count", "per second", "p50", "p90", "p99", "p99.9", "max"]]
    for operation in Operation.allCases {
      guard let latencies = tally.latencies[operation] else { continue }
      let times = [0.5, 0.9, 0.99, 0.999].map { latencies.quantile($0).map(Figure.time) ?? "" }
      rows.append(
        [operation.rawValue, "\(latencies.count)", Figure.count(Double(latencies.count) / length.seconds)]
          + times + [Figure.time(latencies.maximum)])
    }
    var lines = [
      "\(plan.work.rawValue): \(plan.connections) connections, \(Figure.decimal(length.seconds)) s, "
        + (plan.rate.map { "\(Figure.count($0)) operations each second wanted" } ?? "as fast as it goes")
    ]
    if rows.count > 1 { lines += ["", Figure.table(rows)] }
    lines.append("")
    if let processorPerOperation {
      lines.append("server CPU: \(Figure.time(Int64(processorPerOperation))) for each operation")
    }
    if let memoryPerConnection, plan.work == .idle {
      lines.append("server memory: \(Figure.count(memoryPerConnection)) bytes for each connection")
    }
    for (name, tally) in [("before the start", preparation), ("failed", tally)] {
      for operation in Operation.allCases {
        for (reason, count) in (tally.failures[operation] ?? [:]).sorted(by: { $0.value > $1.value }) {
          lines.append("\(name): \(operation.rawValue) × \(count): \(reason)")
        }
      }
    }
    if !hasFailures { lines.append("no failures") }
    return lines.joined(separator: "\n")
  }
}
