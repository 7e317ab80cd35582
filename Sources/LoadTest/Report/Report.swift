/// What a run came to.
package struct Report: Sendable {
  /// One second of it.
  package struct Second: Sendable {
    /// Since the start.
    package let from: Duration
    package let length: Duration
    package let operations: Int
    package let failures: Int
    /// Over all operations, in nanoseconds; nil when there was none.
    package let median, p99: Int64?
    package let openConnections: Int
    /// What the server used of its processors, in nanoseconds; nil where it is not on this machine.
    package let processor: Int64?
    /// The server's memory at the end of the second, in bytes.
    package let memory: Int64?
    /// The files and sockets that the server has open at the end of the second.
    package let descriptors: Int?

    init(
      from: Duration, length: Duration, tally: Tally, openConnections: Int, processor: Int64?,
      memory: Int64?, descriptors: Int?
    ) {
      let all = tally.all
      self.from = from
      self.length = length
      operations = tally.successCount
      failures = tally.failureCount
      median = all.quantile(0.5)
      p99 = all.quantile(0.99)
      self.openConnections = openConnections
      self.processor = processor
      self.memory = memory
      self.descriptors = descriptors
    }

    /// Operations each second.
    package var rate: Double { length > .zero ? Double(operations) / length.seconds : 0 }
  }

  package let plan: LoadRun.Plan
  package internal(set) var seconds: [Second] = []
  package internal(set) var tally = Tally()
  /// What happened before the clock started.
  package internal(set) var preparation = Tally()
  package internal(set) var length = Duration.zero
  /// The server before the first connection, when the clock started, and at the end.
  package internal(set) var before, atStart, atEnd: ProcessUsage?

  init(_ plan: LoadRun.Plan, before: ProcessUsage?) {
    self.plan = plan
    self.before = before
  }

  /// Successful operations each second.
  package var throughput: Double { length > .zero ? Double(tally.successCount) / length.seconds : 0 }

  /// What the server's process used for each operation, in nanoseconds; nil where it is not on this machine. What
  /// PostgreSQL used besides is not in it.
  package var processorPerOperation: Double? {
    guard let atStart, let atEnd, tally.successCount > 0 else { return nil }
    return Double(atEnd.processor - atStart.processor) / Double(tally.successCount)
  }

  /// How much the server grew for each connection, in bytes, when most were open.
  package var memoryPerConnection: Double? {
    guard let before, let most = seconds.max(by: { $0.openConnections < $1.openConnections }),
      let memory = most.memory, most.openConnections > 0
    else { return nil }
    return Double(memory - before.memory) / Double(most.openConnections)
  }

  /// Whether something went wrong.
  package var hasFailures: Bool { tally.failureCount + preparation.failureCount > 0 }
}

extension Duration {
  var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
