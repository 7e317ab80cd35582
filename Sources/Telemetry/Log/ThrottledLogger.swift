/// A logger for what strangers can cause: of each key, one line in an interval, then how many it stood for.
///
/// A flood of refused handshakes costs one line a second for each reason. What was held back is
/// counted, and the key's next line says so in `suppressed`; exact figures are the metrics' business.
public struct ThrottledLogger: Sendable {
  private struct Window {
    var opened: ContinuousClock.Instant
    var suppressed: Int64
  }

  private struct State {
    var windows: [String: Window] = [:]
    var swept: ContinuousClock.Instant?
  }

  private let logger: Logger
  private let interval: Duration
  private let capacity: Int
  private let state = MutexBox(State())

  /// - Parameters:
  ///   - interval: the time in which a key gets one line.
  ///   - capacity: the number of keys remembered; beyond it, keys whose interval has passed are forgotten, and
  ///     if there are none the line is held back.
  public init(_ logger: Logger, interval: Duration = .seconds(1), capacity: Int = 1024) {
    self.logger = logger
    self.interval = interval
    self.capacity = capacity
  }

  public func log(
    _ level: LogLevel, key: String, _ message: StaticString, _ fields: @autoclosure () -> Logger.Fields = [:]
  ) {
    log(level, key: key, message, fields(), at: .now)
  }

  func log(
    _ level: LogLevel, key: String, _ message: StaticString, _ fields: @autoclosure () -> Logger.Fields = [:],
    at now: ContinuousClock.Instant
  ) {
    guard level >= logger.level, let suppressed = admit(key, at: now) else { return }
    logger.log(level, message, fields(), suppressed: suppressed)
  }

  /// How many lines of this key were held back before this one, or nil if this one is held back too.
  private func admit(_ key: String, at now: ContinuousClock.Instant) -> Int64? {
    state.withLock { state in
      if let window = state.windows[key] {
        guard now - window.opened >= interval else {
          state.windows[key]?.suppressed += 1
          return nil
        }
        state.windows[key] = Window(opened: now, suppressed: 0)
        return window.suppressed
      }
      if state.windows.count >= capacity {
        if let swept = state.swept, now - swept < interval { return nil }
        state.swept = now
        state.windows = state.windows.filter { now - $0.value.opened < interval }
        guard state.windows.count < capacity else { return nil }
      }
      state.windows[key] = Window(opened: now, suppressed: 0)
      return 0
    }
  }
}
