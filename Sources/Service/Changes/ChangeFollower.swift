public import Directory
public import Issuance
public import Licensing
public import Reactor
public import Telemetry

/// Keeps this server's memory in step with the database: it polls the change feed, applies what it finds, and says how
/// fresh memory is (`FeedHealth`).
///
/// One poll is in flight at a time. A notification, or an admin's write that wants its own effect, only makes the next
/// poll come at once. After any failure everything is read anew before it is trusted again.
public final class ChangeFollower: Sendable {
  private struct State {
    var sleeper: (pause: UInt64, turn: CheckedContinuation<Void, Never>)?
    var lastPause: UInt64 = 0
    var isRung = false
    var waiters: [CheckedContinuation<Void, Never>] = []
    var isRunning = false
  }

  private let source: any TrustSource
  private let directory: TrustDirectory
  private let desk: SeatDesk
  private let health: FeedHealth
  private let loop: EventLoop
  private let logger: Logger
  private let interval: Duration
  private let trustChanged: @Sendable () -> Void
  private let heard: @Sendable (Set<Change>) -> Void
  private let state = Lock(State())

  /// `heard` is called with all changes, `trustChanged` after those that may have taken someone's right, once they are
  /// in memory.
  public init(
    source: any TrustSource, directory: TrustDirectory, desk: SeatDesk, health: FeedHealth,
    on loop: EventLoop,
    logger: Logger, interval: Duration = .milliseconds(250),
    heard: @escaping @Sendable (Set<Change>) -> Void = { _ in },
    trustChanged: @escaping @Sendable () -> Void
  ) {
    self.source = source
    self.directory = directory
    self.desk = desk
    self.health = health
    self.loop = loop
    self.logger = logger
    self.interval = interval
    self.heard = heard
    self.trustChanged = trustChanged
  }

  /// Follows until cancelled.
  public func run() async {
    state.withLock { $0.isRunning = true }
    var cursor: ChangeCursor?
    var isComplaining = false
    while !Task.isCancelled {
      let waiters = state.withLock { state in
        state.isRung = false
        defer { state.waiters = [] }
        return state.waiters
      }
      do throws(StorageError) {
        cursor = try await poll(after: cursor)
        if isComplaining { logger.info("the change feed is back, and everything was read anew") }
        isComplaining = false
      } catch {
        health.failed()
        // Nothing is answered from memory any more, to those who wait neither.
        if health.freshness() == .lost { desk.watches.heardOfAnything() }
        if !isComplaining { logger.warning("the change feed is lost", ["error": .text("\(error)")]) }
        isComplaining = true
        cursor = nil
      }
      for waiter in waiters { waiter.resume() }
      await pause()
    }
    let waiters = state.withLock { state in
      state.isRunning = false
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Polls at once: somebody says that there is something.
  public func hint() { ring(nil) }

  /// Returns when everything that had committed before the call is in this server's memory, or when the feed is lost.
  public func catchUp() async {
    await withCheckedContinuation { turn in
      let isRunning = state.withLock { state in
        if state.isRunning { state.waiters.append(turn) }
        return state.isRunning
      }
      if isRunning { hint() } else { turn.resume() }
    }
  }

  // MARK: Pausing

  private func pause() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { turn in
        let pause = state.withLock { state -> UInt64? in
          if state.isRung || Task.isCancelled { return nil }
          state.lastPause += 1
          state.sleeper = (state.lastPause, turn)
          return state.lastPause
        }
        guard let pause else { return turn.resume() }
        let interval = interval
        loop.submit { [weak self] loop in loop.schedule(after: interval) { _ in self?.ring(pause) } }
      }
    } onCancel: {
      ring(nil)
    }
  }

  /// Ends the pause: this one if it still lasts, or with nil whichever it is, or the next one before it begins.
  private func ring(_ pause: UInt64?) {
    let sleeper = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if let pause, state.sleeper?.pause != pause { return nil }
      if state.sleeper == nil { state.isRung = true }
      defer { state.sleeper = nil }
      return state.sleeper?.turn
    }
    sleeper?.resume()
  }

  // MARK: Polling

  private func poll(after cursor: ChangeCursor?) async throws(StorageError) -> ChangeCursor {
    let start = MonotonicInstant.now
    let batch = if let cursor { try await source.changes(since: cursor) } else { nil as ChangeBatch? }
    guard let cursor, let batch, batch.cursor.follows(cursor) else {
      if batch != nil { logger.warning("the change feed has a gap, and everything is read anew") }
      let fresh = try await readEverything()
      health.succeeded(begunAt: start)
      desk.watches.heardOfAnything()
      trustChanged()
      return fresh
    }
    if !batch.changes.isEmpty {
      let changes = Set(batch.changes)
      try await apply(changes)
      // Those who wake look again, for which memory has to be fresh.
      health.succeeded(begunAt: start)
      desk.watches.heard(of: changes, at: WallClock.seconds) {
        directory.holder(ofCertificate: Key<CertificateRecord>($0))
      }
      heard(changes)
      if changes.contains(where: \.concernsTrust) { trustChanged() }
    }
    health.succeeded(begunAt: start)
    return batch.cursor
  }

  private func readEverything() async throws(StorageError) -> ChangeCursor {
    // The snapshot comes first: what changes while the rest is read comes again as a change.
    let snapshot = try await source.snapshot()
    directory.replace(with: snapshot)
    desk.held.dropAll()
    desk.forgetProducts()
    let recognized = directory.recognized
    try await refresh(recognized.identities, recognized.certificates)
    for (authority, issuers) in directory.issuers { try await refresh(issuers, under: authority) }
    return snapshot.cursor
  }

  private func apply(_ changes: Set<Change>) async throws(StorageError) {
    desk.held.heard(of: changes)
    var organizations: Set<Key<Organization>> = []
    var authorities: Set<Key<Authority>> = []
    var identities: [TenantKey<Identity>] = []
    var certificates: [TenantKey<CertificateRecord>] = []
    for change in changes {
      switch change {
      case .organization(let key): organizations.insert(key)
      case .authority(let organization, let key):
        organizations.insert(organization)
        authorities.insert(Key(key))
      case .identity(let organization, let key):
        if directory.heard(ofIdentity: key) { identities.append(TenantKey(organization, key)) }
      case .certificate(let organization, let key):
        directory.heardOfCertificate()
        // Whether somebody has connected with it, and has asked for nothing yet, only its fingerprint tells.
        certificates.append(TenantKey(organization, Key(key)))
      case .product: desk.forgetProducts()
      case .license, .seatLost: break  // no part of trust
      }
    }
    try await refresh(identities, certificates)
    for key in authorities { try await refresh(directory.heard(ofAuthority: key), under: key) }
    for key in organizations {
      if let trust = try await source.organization(key) { directory.apply(trust) }
    }
  }

  /// Reads anew which CAs under an authority its lists name.
  private func refresh(_ issuers: [Issuer], under authority: Key<Authority>) async throws(StorageError) {
    for part in issuers.parts {
      let listings = try await source.listings(of: part.map(\.serialNumber), under: authority)
      directory.apply(listings, of: part, under: authority)
    }
  }

  /// Reads anew what memory holds of these: after a lost feed that may be everyone who is connected.
  private func refresh(
    _ identities: [TenantKey<Identity>], _ certificates: [TenantKey<CertificateRecord>]
  ) async throws(StorageError) {
    for part in identities.parts {
      let found = try await source.identities(part).map { ($0.record.key, $0) }
      let known = Dictionary(found) { $1 }
      for wanted in part { directory.apply(known[wanted.key], key: wanted.key) }
    }
    for part in certificates.parts {
      let found = try await source.status(ofCertificates: part)
      for status in found { directory.apply(status) }
      let known = Set(found.map(\.certificate))
      for wanted in part where !known.contains(wanted.key) { directory.bury(wanted.key) }
    }
  }
}

extension Change {
  /// Whether somebody's right may be lost by it. Seats come and go by the thousand, and rights do not go with them.
  fileprivate var concernsTrust: Bool {
    switch self {
    case .organization, .authority, .identity, .certificate: true
    case .license, .product, .seatLost: false
    }
  }
}

extension Array {
  /// As many as one look-up asks for.
  fileprivate var parts: [[Element]] {
    stride(from: 0, to: count, by: 1000).map { Array(self[$0..<Swift.min($0 + 1000, count)]) }
  }
}
