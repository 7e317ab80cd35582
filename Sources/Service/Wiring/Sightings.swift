import Directory
import Issuance
import Licensing
import Reactor
import Store
import Telemetry

/// Notes which identities were seen, and writes that down once a minute: no request waits for it.
final class Sightings: Sendable {
  /// So many at once: who comes after them is noted a quarter of an hour later.
  private static let most = 200_000
  /// In one statement.
  private static let portion = 5000

  private let seen = Lock<[TenantKey<Identity>: MonotonicInstant]>([:])
  private let store: StoreSightings
  private let logger: Logger

  init(_ store: StoreSightings, logger: Logger) {
    self.store = store
    self.logger = logger
  }

  /// A device was there that has not been noted for a while.
  @Sendable func note(_ device: TenantKey<Identity>) {
    seen.withLock { seen in
      if seen.count < Self.most { seen[device] = .now }
    }
  }

  /// Writes what was noted. What cannot be written now is not written: it is a hint, no record.
  func write() async {
    let noted = seen.withLock { seen in
      defer { seen = [:] }
      return seen
    }
    let now = MonotonicInstant.now
    var rest = noted.map { ($0.key, max(0, ($0.value.duration(to: now)).components.seconds)) }[...]
    while !rest.isEmpty {
      let portion = rest.prefix(Self.portion)
      rest = rest.dropFirst(Self.portion)
      do throws(StorageError) {
        try await store.write(Dictionary(uniqueKeysWithValues: portion))
      } catch {
        return logger.debug("who was seen was not written", ["error": .text("\(error)")])
      }
    }
  }
}
