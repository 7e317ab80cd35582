/// The sessions that may be resumed, at most `capacity` of them, on all event loops; the oldest make room.
///
/// OpenSSL's own cache is off: it would parse a copy of the peer's certificate at each look-up, and it knows neither
/// the peer nor an absolute deadline.
final class SessionCache: Sendable {
  private struct Contents: Sendable {
    var sessions: [SessionIdentifier: Session] = [:]
    /// A ring in the order of arrival. An identifier whose session was removed meanwhile is harmless: it is never
    /// used a second time.
    var arrivals: [SessionIdentifier] = []
    var oldest = 0
  }

  private let capacity: Int
  private let contents = Lock(Contents())

  init(capacity: Int) { self.capacity = max(1, capacity) }

  var count: Int { contents.withLock { $0.sessions.count } }

  func store(_ session: Session, as identifier: SessionIdentifier) {
    // What is evicted is freed after the lock.
    _ = contents.withLock { contents in
      contents.sessions[identifier] = session
      guard contents.arrivals.count == capacity else {
        contents.arrivals.append(identifier)
        return nil as Session?
      }
      let evicted = contents.sessions.removeValue(forKey: contents.arrivals[contents.oldest])
      contents.arrivals[contents.oldest] = identifier
      contents.oldest = (contents.oldest + 1) % capacity
      return evicted
    }
  }

  func find(_ identifier: SessionIdentifier) -> Session? {
    contents.withLock { $0.sessions[identifier] }
  }

  func remove(_ identifier: SessionIdentifier) {
    _ = contents.withLock { $0.sessions.removeValue(forKey: identifier) }
  }
}
