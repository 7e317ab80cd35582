import Licensing
import Reactor
import Store
import Telemetry

/// Does what the database needs now and then: at the start, every hour, and a minute after it could not be done. Every
/// server does it; a second time does nothing.
final class HousekeepingJob: Sendable {
  private let housekeeping: Housekeeping
  private let loop: EventLoop
  private let logger: Logger

  init(_ housekeeping: Housekeeping, on loop: EventLoop, logger: Logger) {
    self.housekeeping = housekeeping
    self.loop = loop
    self.logger = logger
  }

  /// Does it once; how long to wait until the next time.
  func attempt() async -> Duration {
    do throws(StorageError) {
      try await housekeeping.run()
      return .seconds(3600)
    } catch {
      if !Task.isCancelled { logger.warning("housekeeping was put off", ["error": .text("\(error)")]) }
      return .seconds(60)
    }
  }

  /// Does it again and again, until cancelled.
  func run(after pause: Duration) async {
    var pause = pause
    while (try? await loop.sleep(for: pause)) != nil { pause = await attempt() }
  }
}
