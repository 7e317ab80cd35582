import Testing

@testable import Telemetry

@Suite struct PrometheusTextTests {
  private func render(_ metrics: Metrics) -> String {
    String(decoding: PrometheusText(metrics).render(), as: UTF8.self)
  }

  @Test func `each kind of metric is written as Prometheus reads it`() throws {
    let metrics = Metrics()
    let claims = metrics.counters("usher_claims_total", "Claims by outcome.", labels: ["product", "outcome"])
    claims["studio", "granted"].increment(by: 3)
    claims["a\"\\\nb", "refused"].increment()
    metrics.gauge("usher_connections", "Open connections.").set(-2)
    metrics.gauge("usher_pool_idle", "Idle database connections.") { 4 }
    let histogram = metrics.histogram(
      "usher_handshake_seconds", "Handshakes.", bounds: [.microseconds(500), .seconds(1)])
    histogram.observe(.microseconds(250))
    histogram.observe(.seconds(2))

    let text = render(metrics)
    #expect(
      text == #"""
        # HELP usher_claims_total Claims by outcome.
        # TYPE usher_claims_total counter
        usher_claims_total{product="a\"\\\nb",outcome="refused"} 1
        usher_claims_total{product="studio",outcome="granted"} 3
        # HELP usher_connections Open connections.
        # TYPE usher_connections gauge
        usher_connections -2
        # HELP usher_handshake_seconds Handshakes.
        # TYPE usher_handshake_seconds histogram
        usher_handshake_seconds_bucket{le="0.0005"} 1
        usher_handshake_seconds_bucket{le="1.0"} 1
        usher_handshake_seconds_bucket{le="+Inf"} 2
        usher_handshake_seconds_sum 2.00025
        usher_handshake_seconds_count 2
        # HELP usher_pool_idle Idle database connections.
        # TYPE usher_pool_idle gauge
        usher_pool_idle 4

        """#)
    #expect(PrometheusLint.findings(in: text) == [])
  }

  @Test func `the output of every kind with labels has no lint findings`() {
    let metrics = Metrics()
    let counters = metrics.counters("usher_a_total", "A.", labels: ["x"])
    let gauges = metrics.gauges("usher_b", "B.", labels: ["x"])
    let histograms = metrics.histograms("usher_c_seconds", "C.", labels: ["x"])
    for value in ["", "a,b", "}", "=", "\u{1f3ab}", "\n\n"] {
      counters[value].increment()
      gauges[value].set(.min)
      histograms[value].observe(.seconds(-1))
      histograms[value].observe(.seconds(3600))
    }
    #expect(PrometheusLint.findings(in: render(metrics)) == [])
  }

  @Test(arguments: [
    "x_total 1\n",
    "# HELP x_total X.\n# TYPE x_total counter\nx_total{a=\"1\" 1\n",
    "# HELP x_total X.\n# TYPE x_total counter\nx_total 1\nx_total 2\n",
    "# HELP x X.\n# TYPE x counter\nx 1\n",
    "# HELP x_seconds X.\n# TYPE x_seconds histogram\nx_seconds_bucket{le=\"1\"} 2\nx_seconds_bucket{le=\"+Inf\"} 1\nx_seconds_sum 0\nx_seconds_count 1\n",
  ])
  func `the lint of these tests sees a fault`(text: String) {
    #expect(PrometheusLint.findings(in: text) != [])
  }
}
