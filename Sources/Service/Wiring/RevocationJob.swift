internal import Issuance
internal import Licensing
internal import Reactor
internal import Telemetry

/// Keeps the revocation lists of our authorities new: a second after a revocation is heard of, and long before one ends.
///
/// What was heard of stays due until it is seen to be done, by whichever server; all authorities are looked through now
/// and then, so that nothing is missed.
final class RevocationJob: Sendable {
  private let publisher: RevocationPublisher
  private let loop: EventLoop
  private let logger: ThrottledLogger
  private let lists: MetricFamily<Counter>
  private let pending = Lock<Set<Key<Organization>>>([])

  /// Seconds between two looks through all authorities.
  private static let interval = 30

  init(_ publisher: RevocationPublisher, on loop: EventLoop, logger: Logger, metrics: Metrics) {
    self.publisher = publisher
    self.loop = loop
    self.logger = ThrottledLogger(logger, interval: .seconds(60))
    lists = metrics.counters(
      "usher_revocation_lists_total",
      "Revocation lists made, those that could not be, and external ones that ended without a newer one.",
      labels: ["result"])
  }

  func heard(of changes: Set<Change>) {
    let organizations = changes.compactMap { change -> Key<Organization>? in
      switch change {
      case .certificate(let organization, certificate: _), .authority(let organization, authority: _):
        organization
      case .organization, .identity, .license, .seatLost, .product: nil
      }
    }
    if !organizations.isEmpty { pending.withLock { $0.formUnion(organizations) } }
  }

  /// Works until cancelled.
  func run() async {
    var secondsToLook = 0
    repeat {
      let organizations = pending.withLock { pending in
        defer { pending = [] }
        return pending
      }
      for organization in organizations where await publish(for: organization)?.isUnfinished ?? true {
        pending.withLock { _ = $0.insert(organization) }
      }
      secondsToLook -= 1
      if secondsToLook <= 0 {
        // A look makes so many lists at most; when it made some there may be more.
        let made = await publish(for: nil)?.made
        secondsToLook = made == 0 ? Self.interval : 1
        await warn()
      }
    } while (try? await loop.sleep(for: .seconds(1))) != nil
  }

  /// An external CA's list that has ended still revokes what it names; somebody should hear that no newer one came.
  private func warn() async {
    for authority in (try? await publisher.warnOfStaleLists()) ?? [] {
      lists["stale"].increment()
      logger.log(
        .warning, key: authority.description, "an external revocation list is past its end",
        ["authority": .text("\(authority)")])
    }
  }

  /// Nil: the database is away.
  private func publish(for organization: Key<Organization>?) async -> RevocationPublisher.Round? {
    guard let round = try? await publisher.publish(for: organization) else { return nil }
    for _ in 0..<round.made { lists["made"].increment() }
    // A server that stops is no failure of the list's.
    for failure in round.failures where !Task.isCancelled {
      lists["failed"].increment()
      logger.log(
        .error, key: failure.authority.description, "no revocation list could be made",
        ["authority": .text("\(failure.authority)"), "error": .text("\(failure.error)")])
    }
    return round
  }
}
