/// All that a server counts, under the names that `/metrics` shows.
///
/// Names, labels and help are literals of ours. A name belongs to one metric: giving it out twice is a fault
/// of the program, and stops it.
public final class Metrics: Sendable {
  struct Entry: Sendable {
    let help: String
    let source: Source
  }

  enum Source: Sendable {
    case counters(MetricFamily<Counter>)
    case gauges(MetricFamily<Gauge>)
    case histograms(MetricFamily<Histogram>)
    case observed(@Sendable () -> Int64)
  }

  private let entries = MutexBox<[String: Entry]>([:])

  public init() {}

  /// A counter without labels; `name` ends in `_total`.
  public func counter(_ name: StaticString, _ help: StaticString) -> Counter {
    counters(name, help, labels: [])[]
  }

  /// Counters by label; `name` ends in `_total`.
  public func counters(
    _ name: StaticString, _ help: StaticString, labels: [String], capacity: Int = 512
  ) -> MetricFamily<Counter> {
    let family = MetricFamily(labels: labels, capacity: capacity) { Counter() }
    register(name, help, .counters(family))
    return family
  }

  public func gauge(_ name: StaticString, _ help: StaticString) -> Gauge {
    gauges(name, help, labels: [])[]
  }

  public func gauges(
    _ name: StaticString, _ help: StaticString, labels: [String], capacity: Int = 512
  ) -> MetricFamily<Gauge> {
    let family = MetricFamily(labels: labels, capacity: capacity) { Gauge() }
    register(name, help, .gauges(family))
    return family
  }

  /// A gauge that is asked for its value when somebody looks; `read` may be called from any thread.
  public func gauge(_ name: StaticString, _ help: StaticString, read: @escaping @Sendable () -> Int64) {
    register(name, help, .observed(read))
  }

  /// Durations without labels; `name` ends in `_seconds`.
  public func histogram(
    _ name: StaticString, _ help: StaticString, bounds: [Duration] = Histogram.latencies
  ) -> Histogram {
    histograms(name, help, labels: [], bounds: bounds)[]
  }

  /// Durations by label; `name` ends in `_seconds`.
  public func histograms(
    _ name: StaticString, _ help: StaticString, labels: [String], bounds: [Duration] = Histogram.latencies,
    capacity: Int = 512
  ) -> MetricFamily<Histogram> {
    let family = MetricFamily(labels: labels, capacity: capacity) { Histogram(bounds: bounds) }
    register(name, help, .histograms(family))
    return family
  }

  /// All metrics in the order of their names.
  var all: [(name: String, entry: Entry)] {
    entries.withLock { $0.map { (name: $0.key, entry: $0.value) } }.sorted { $0.name < $1.name }
  }

  private func register(_ name: StaticString, _ help: StaticString, _ source: Source) {
    let taken = entries.withLock { entries in
      entries.updateValue(Entry(help: help.description, source: source), forKey: name.description) != nil
    }
    precondition(!taken, "two metrics are named \(name)")
  }
}
