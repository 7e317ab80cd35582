/// The metrics of one name, one for each combination of label values.
///
/// Looking one up takes a lock: what is counted on a hot path is looked up once and kept. Label values can
/// come from strangers, so a family is bounded: past its capacity everything is counted under `other`.
public final class MetricFamily<Metric: AnyObject & Sendable>: Sendable {
  public let labels: [String]
  private let capacity: Int
  private let make: @Sendable () -> Metric
  private let members = MutexBox<[[String]: Metric]>([:])

  init(labels: [String], capacity: Int, make: @escaping @Sendable () -> Metric) {
    self.labels = labels
    self.capacity = capacity
    self.make = make
  }

  /// The metric with these label values, in the order of `labels`; missing values are empty.
  public subscript(_ values: String...) -> Metric {
    var key = Array(values.prefix(labels.count))
    key += Array(repeating: "", count: labels.count - key.count)
    return members.withLock { members in
      if let metric = members[key] { return metric }
      if members.count >= capacity { key = Array(repeating: "other", count: labels.count) }
      if let metric = members[key] { return metric }
      let metric = make()
      members[key] = metric
      return metric
    }
  }

  /// Every metric with its label values, in their order.
  var all: [(values: [String], metric: Metric)] {
    members.withLock { $0.map { (values: $0.key, metric: $0.value) } }
      .sorted { $0.values.lexicographicallyPrecedes($1.values) }
  }
}
