import Licensing
import Reactor
import Store
import Telemetry

/// Seals events soon after they were written, in the background; every server does it, one at a time.
final class SealingJob: Sendable {
  private let chains: StoreEventChains
  private let loop: EventLoop
  private let logger: ThrottledLogger

  init(_ chains: StoreEventChains, on loop: EventLoop, logger: Logger) {
    self.chains = chains
    self.loop = loop
    self.logger = ThrottledLogger(logger, interval: .seconds(60))
  }

  /// Works until cancelled.
  func run() async {
    while (try? await loop.sleep(for: .seconds(1))) != nil {
      do throws(StorageError) {
        guard try await chains.awaitsSealing() else { continue }
        while try await chains.seal(limit: Self.batch) == Self.batch {}
      } catch {
        if Task.isCancelled { return }
        logger.log(.warning, key: "", "events were not sealed", ["error": .text("\(error)")])
      }
    }
  }

  private static let batch = 500
}
