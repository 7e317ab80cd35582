/// The text format that Prometheus scrapes, version 0.0.4.
///
/// <https://prometheus.io/docs/instrumenting/exposition_formats/>
public struct PrometheusText: Sendable {
  public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  private let metrics: Metrics

  public init(_ metrics: Metrics) { self.metrics = metrics }

  public func render() -> [UInt8] {
    var text = ""
    for (name, entry) in metrics.all {
      text += "# HELP \(name) \(entry.help)\n"
      switch entry.source {
      case .counters(let family):
        text += "# TYPE \(name) counter\n"
        for (values, counter) in family.all {
          text += "\(name)\(Self.labels(family.labels, values)) \(counter.value)\n"
        }
      case .gauges(let family):
        text += "# TYPE \(name) gauge\n"
        for (values, gauge) in family.all {
          text += "\(name)\(Self.labels(family.labels, values)) \(gauge.value)\n"
        }
      case .observed(let read):
        text += "# TYPE \(name) gauge\n\(name) \(read())\n"
      case .histograms(let family):
        text += "# TYPE \(name) histogram\n"
        for (values, histogram) in family.all {
          text += Self.samples(of: histogram, name, family.labels, values)
        }
      }
    }
    return Array(text.utf8)
  }

  private static func samples(
    of histogram: Histogram, _ name: String, _ labels: [String], _ values: [String]
  ) -> String {
    var text = ""
    var total: UInt64 = 0
    let bounds = histogram.bounds.map(seconds) + ["+Inf"]
    for (bound, count) in zip(bounds, histogram.counts) {
      total += count
      text += "\(name)_bucket\(self.labels(labels + ["le"], values + [bound])) \(total)\n"
    }
    text += "\(name)_sum\(self.labels(labels, values)) \(seconds(.nanoseconds(histogram.sum)))\n"
    text += "\(name)_count\(self.labels(labels, values)) \(total)\n"
    return text
  }

  private static func labels(_ names: [String], _ values: [String]) -> String {
    guard !names.isEmpty else { return "" }
    let pairs = zip(names, values).map { name, value in "\(name)=\"\(escapedValue(value))\"" }
    return "{\(pairs.joined(separator: ","))}"
  }

  private static func seconds(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    return (Double(seconds) + Double(attoseconds) / 1e18).description
  }

  /// A label's value: backslash, quotation mark and line feed are escaped.
  private static func escapedValue(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += #"\\"#.unicodeScalars
      case "\"": result += #"\""#.unicodeScalars
      case "\n": result += #"\n"#.unicodeScalars
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
