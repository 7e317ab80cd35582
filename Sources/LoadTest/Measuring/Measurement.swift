internal import Reactor

/// A report while it is made: what happened since the last look, again and again.
struct Measurement {
  private(set) var report: Report
  private let servers: [Int32]
  private let start: MonotonicInstant
  /// When the second before the last look began, what happened in it, and the servers at its beginning.
  private var second: (from: MonotonicInstant, tally: Tally, usage: ProcessUsage?)
  /// When somebody looked last.
  private(set) var last: MonotonicInstant
  private var usage: ProcessUsage?

  /// Starts the clock.
  init(_ report: Report, of servers: [Int32]) {
    self.report = report
    self.servers = servers
    usage = ProcessUsage(of: servers)
    self.report.atStart = usage
    start = .now
    last = start
    second = (start, Tally(), usage)
  }

  /// Adds what happened since the last look.
  mutating func add(_ tally: Tally, openConnections: Int) -> Report.Second {
    second = (last, tally, usage)
    let measured = look(openConnections)
    report.seconds.append(measured)
    report.tally.add(tally)
    return measured
  }

  /// Adds what had begun by the last look and has ended since: the last second is longer by it.
  mutating func addRest(_ tally: Tally) {
    guard !tally.isEmpty, let shorter = report.seconds.popLast() else { return }
    second.tally.add(tally)
    // Some have left by now: what they took was measured when they were there.
    report.seconds.append(look(shorter.openConnections, atItsEnd: shorter))
    report.tally.add(tally)
  }

  private mutating func look(_ openConnections: Int, atItsEnd shorter: Report.Second? = nil) -> Report.Second
  {
    (last, usage) = (.now, ProcessUsage(of: servers))
    report.length = start.duration(to: last)
    report.atEnd = usage
    var processor: Int64?
    if let usage, let before = second.usage { processor = usage.processor - before.processor }
    return Report.Second(
      from: start.duration(to: second.from), length: second.from.duration(to: last), tally: second.tally,
      openConnections: openConnections, processor: processor, memory: shorter?.memory ?? usage?.memory,
      descriptors: shorter?.descriptors ?? usage?.descriptors)
  }
}
