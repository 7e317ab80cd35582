/// The rules of `promtool check metrics` that apply to us, so that the tests need no Prometheus.
enum PrometheusLint {
  static func findings(in text: String) -> [String] {
    var findings: [String] = []
    var types: [String: String] = [:]
    var helped: Set<String> = []
    var series: Set<String> = []
    var lastBucket: (series: String, value: Double)?

    if !text.hasSuffix("\n") { findings.append("no line feed at the end") }
    for line in text.split(separator: "\n", omittingEmptySubsequences: true) {
      if let match = line.wholeMatch(of: /# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)/) {
        if !helped.insert(String(match.1)).inserted { findings.append("second HELP: \(line)") }
        continue
      }
      if let match = line.wholeMatch(of: /# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram)/) {
        let name = String(match.1)
        if types.updateValue(String(match.2), forKey: name) != nil { findings.append("second TYPE: \(line)") }
        if match.2 == "counter", !name.hasSuffix("_total") {
          findings.append("counter without _total: \(name)")
        }
        if match.2 != "counter", name.hasSuffix("_total") { findings.append("_total on no counter: \(name)") }
        continue
      }
      let sample =
        /([a-zA-Z_:][a-zA-Z0-9_:]*)(\{[a-z_]+="(?:[^"\\]|\\["\\n])*"(?:,[a-z_]+="(?:[^"\\]|\\["\\n])*")*\})? (-?[0-9.e+-]+)/
      guard let match = line.wholeMatch(of: sample), let value = Double(match.3) else {
        findings.append("not a sample: \(line)")
        continue
      }
      let name = String(match.1)
      let labels = match.2.map(String.init) ?? ""
      if !series.insert(name + labels).inserted { findings.append("twice: \(name)\(labels)") }
      let base =
        ["_bucket", "_sum", "_count"].lazy
        .filter { name.hasSuffix($0) && types[String(name.dropLast($0.count))] == "histogram" }
        .map { String(name.dropLast($0.count)) }.first ?? name
      if types[base] == nil || !helped.contains(base) { findings.append("no TYPE or HELP: \(line)") }
      guard name == base + "_bucket" else { continue }
      let others = labels.replacing(/,?le="[^"]*"/, with: "")
      if let lastBucket, lastBucket.series == others, lastBucket.value > value {
        findings.append("buckets shrink: \(line)")
      }
      lastBucket = labels.contains("le=\"+Inf\"") ? nil : (others, value)
    }
    return findings
  }
}
