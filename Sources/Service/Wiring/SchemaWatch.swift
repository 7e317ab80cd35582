internal import Licensing
internal import Postgres
internal import Reactor
internal import Store
internal import Synchronization
internal import Telemetry

/// Makes sure that the database's schema is the one this program knows, as soon as the database can be asked.
final class SchemaWatch: Sendable {
  private let migrator: Migrator
  private let loop: EventLoop
  private let logger: Logger
  private let known = Atomic(false)

  init(_ database: PostgresClient, on loop: EventLoop, logger: Logger) {
    migrator = Migrator(database)
    self.loop = loop
    self.logger = logger
  }

  /// Whether the schema was seen to be right.
  var isGood: Bool { known.load(ordering: .acquiring) }

  var detail: String { isGood ? "as this program knows it" : "not read yet" }

  /// Asks until the database answers, and then waits for cancellation. Thrown: the schema is another one.
  func watch() async throws(StartFailure) {
    while !isGood {
      do throws(StorageError) {
        try judge(try await migrator.state())
        if isGood, (try? await migrator.hasSecondWall()) == false {
          logger.warning("there is no second wall between organizations: see operations.md")
        }
      } catch {
        if case .fault(let reason) = error { throw StartFailure(reason) }
      }
      if !isGood, (try? await loop.sleep(for: .milliseconds(250))) == nil { return }
    }
    while (try? await loop.sleep(for: .seconds(3600))) != nil {}
  }

  private func judge(_ state: SchemaState) throws(StorageError) {
    switch state {
    case .ready: known.store(true, ordering: .releasing)
    case .behind(let missing):
      throw .fault(
        "the database's schema lacks \(missing.count) migrations of this version: run usher migrate --config FILE, then start again"
      )
    case .ahead(let minimum):
      throw .fault(
        "the database's schema was changed by a newer version and needs one that knows migration \(minimum): install that version"
      )
    }
  }
}
