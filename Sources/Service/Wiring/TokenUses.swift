import Licensing
import Reactor
import Store
import Telemetry

/// Notes which API tokens were used, and writes that down once a minute: no request waits for it.
final class TokenUses: Sendable {
  private let used = Lock<[Key<APIToken>: Instant]>([:])
  private let store: StoreTokenUses
  private let logger: Logger

  init(_ store: StoreTokenUses, logger: Logger) {
    self.store = store
    self.logger = logger
  }

  /// A token was presented, and is good.
  @Sendable func note(_ token: Key<APIToken>) {
    let now = Instant(microseconds: WallClock.microseconds)
    used.withLock { $0[token] = now }
  }

  /// Writes what was noted, in one statement. What cannot be written now is not written: it is a hint, no record.
  func write() async {
    let noted = used.withLock { used in
      defer { used = [:] }
      return used
    }
    guard !noted.isEmpty else { return }
    do throws(StorageError) {
      try await store.write(noted)
    } catch {
      logger.debug("the last uses of API tokens were not written", ["error": .text("\(error)")])
    }
  }
}
