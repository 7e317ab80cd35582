import Testing

@testable import Telemetry

@Suite struct MetricsTests {
  @Test func `counting from many tasks loses nothing`() async {
    let metrics = Metrics()
    let counters = metrics.counters("usher_requests_total", "Requests.", labels: ["status"])
    let gauge = metrics.gauge("usher_connections", "Connections.")
    let histogram = metrics.histogram("usher_request_seconds", "Time.")
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for _ in 0..<1000 {
            counters["\(200 + task % 2)"].increment()
            gauge.add(task.isMultiple(of: 2) ? 1 : -1)
            histogram.observe(.microseconds(100 * task))
          }
        }
      }
    }
    #expect(counters["200"].value == 4000)
    #expect(counters["201"].value == 4000)
    #expect(gauge.value == 0)
    #expect(histogram.counts.reduce(0, +) == 8000)
    #expect(histogram.sum == 2_800_000_000)
  }

  @Test func `a family is bounded: the rest is counted together`() {
    let family = Metrics().counters(
      "usher_refusals_total", "Refusals.", labels: ["reason", "alert"], capacity: 2)
    for index in 0..<10 { family["reason \(index)", "x"].increment() }
    #expect(family.all.map(\.values) == [["other", "other"], ["reason 0", "x"], ["reason 1", "x"]])
    #expect(family["other", "other"].value == 8)
    #expect(family["reason 1", "x"].value == 1)
  }

  @Test func `label values that are missing are empty, those too many are dropped`() {
    let family = Metrics().counters("usher_x_total", "X.", labels: ["a", "b"])
    #expect(family["1"] === family["1", ""])
    #expect(family["1", "2", "3"] === family["1", "2"])
  }

  @Test func `an observation falls into the first bucket whose bound it does not pass`() {
    let histogram = Histogram(bounds: [.milliseconds(10), .milliseconds(1)])
    for duration in [Duration.zero, .milliseconds(1), .microseconds(1001), .milliseconds(10), .seconds(5)] {
      histogram.observe(duration)
    }
    #expect(histogram.counts == [2, 2, 1])
  }
}
