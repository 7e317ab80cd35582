internal import Directory
internal import Reactor
internal import Telemetry

/// Keeps the keys that sign leases as the database has them, and sees to it that there is one.
final class LeaseKeyJob: Sendable {
  private let signer: LeaseSigner
  private let loop: EventLoop
  private let logger: ThrottledLogger

  init(_ signer: LeaseSigner, on loop: EventLoop, logger: Logger) {
    self.signer = signer
    self.loop = loop
    self.logger = ThrottledLogger(logger, interval: .seconds(60))
  }

  /// Works until cancelled: a key that another server made is published here within seconds, long before it signs.
  func run() async {
    var pause: Duration
    repeat {
      do {
        try await signer.refresh()
        pause = .seconds(10)
      } catch {
        if Task.isCancelled { return }
        // Also before the first reading of the database.
        pause = .milliseconds(200)
        if signer.keySet != nil {
          pause = .seconds(10)
          logger.log(
            .warning, key: "", "the keys that sign leases were not read", ["error": .text("\(error)")])
        }
      }
    } while (try? await loop.sleep(for: pause)) != nil
  }
}
