public import Telemetry

/// What all listeners of a process count.
public final class ServerMetrics: Sendable {
  let accepted: MetricFamily<Counter>
  let open: MetricFamily<Gauge>
  let turnedAway: MetricFamily<Counter>
  let handshakes: MetricFamily<Counter>
  let refusals: MetricFamily<Counter>
  let requests: MetricFamily<Counter>
  let timeouts: MetricFamily<Counter>

  public init(_ metrics: Metrics) {
    accepted = metrics.counters(
      "usher_connections_total", "Connections accepted.", labels: ["listener"])
    open = metrics.gauges("usher_connections", "Connections open now.", labels: ["listener"])
    turnedAway = metrics.counters(
      "usher_connections_turned_away_total", "Connections closed because there were too many.",
      labels: ["listener"])
    handshakes = metrics.counters(
      "usher_tls_handshakes_total",
      "TLS handshakes by outcome: full, resumed, refused (the certificate), failed.",
      labels: ["listener", "outcome"])
    refusals = metrics.counters(
      "usher_tls_refusals_total", "Certificates refused by an alert, by reason.",
      labels: ["listener", "reason"])
    requests = metrics.counters(
      "usher_http_requests_total", "Answered requests by class of status.", labels: ["listener", "status"])
    timeouts = metrics.counters(
      "usher_connection_timeouts_total", "Connections cut because something took too long.",
      labels: ["listener", "waiting_for"])
  }
}
