import Cryptography
import Directory
import Licensing
import PKIX
import TLS
import Telemetry

/// Counts each refusal by its reason, and logs a sample with whom it was: a flood of them floods nothing.
struct RefusalLog: Sendable {
  private let logger: ThrottledLogger
  private let told: MetricFamily<Counter>
  private let tally: RefusalTally

  init(logger: Logger, metrics: Metrics, tally: RefusalTally) {
    self.tally = tally
    self.logger = ThrottledLogger(logger)
    told = metrics.counters(
      "usher_device_refusals_total", "Requests of known devices refused by a problem, by reason.",
      labels: ["reason"])
  }

  /// A certificate that was refused by an alert; the server's metrics count those.
  @Sendable func note(_ refusal: Refusal) {
    tally.add(refusal.reason.description, of: nil, refusal.certificate?.fingerprint)
    logger.log(
      .warning, key: refusal.reason.description, "certificate refused",
      [
        "reason": .text(refusal.reason.description), "subject": .text(refusal.subject ?? ""),
        "issuer": .text(refusal.issuer ?? ""),
      ])
  }

  /// A device that was told why it is refused.
  @Sendable func note(_ refusal: PeerRefusal, of peer: DevicePeer) {
    told[refusal.rawValue].increment()
    tally.add(refusal.rawValue, of: peer.organization.key, peer.certificate.fingerprint)
    logger.log(
      .info, key: refusal.rawValue, "device refused",
      [
        "reason": .text(refusal.rawValue), "organization": .text(peer.organization.slug.description),
        "subject": .text(peer.certificate.subject.description),
        "issuer": .text(peer.certificate.issuer.description),
        "fingerprint": .text("\(peer.certificate.fingerprint)"),
      ])
  }
}
