internal import HTTP
internal import Reactor
internal import Telemetry

/// What the connections of one listener share on one loop: the application, the limits, and buffers that are in use only
/// while one of them reads or writes.
final class Lane<App: Responder> {
  let app: App
  let configuration: ListenerConfiguration
  let metrics: ListenerMetrics
  let deadlines: Deadlines
  /// Where handshakes run that may wait; nil where none does.
  let handshakeThreads: BlockingThreads?
  private let transport: Transport<App.Peer>
  private let maximumConnections: Int
  /// As much as one TLS record holds.
  private var input = [UInt8](repeating: 0, count: 16384)
  private(set) var output: [UInt8] = []
  private(set) var live = LiveConnections<App>()
  private(set) var isDraining = false
  private var lingering = 0
  private var date = HTTPDate(secondsSince1970: 0)
  private var dateSeconds: Int64 = 0
  private var whenEmpty: CheckedContinuation<Void, Never>?
  private var deadline: TimerID?
  /// Who was over by the last look.
  private var judge: ((App.Peer) -> IdleVerdict)?

  /// So many connections at most linger on one loop until their last bytes are read.
  private static var mostLingering: Int { 1024 }
  /// So many connections are looked at in one turn when trust has changed.
  private static var judgedAtOnce: Int { 256 }
  /// Larger buffers are given back after use.
  private static var outputKept: Int { 65536 }

  init(
    _ app: App, _ transport: Transport<App.Peer>, _ configuration: ListenerConfiguration,
    _ metrics: ListenerMetrics, handshakeThreads: BlockingThreads?, maximumConnections: Int
  ) {
    self.app = app
    self.transport = transport
    self.configuration = configuration
    self.metrics = metrics
    self.handshakeThreads = handshakeThreads
    deadlines = Deadlines(configuration.timeouts)
    self.maximumConnections = maximumConnections
  }

  // MARK: Connections

  /// Takes over an accepted socket.
  func adopt(_ descriptor: consuming Descriptor, on loop: isolated EventLoop) {
    guard live.count < maximumConnections, !isDraining else { return metrics.turnedAway.increment() }
    do {
      let stream = try transport.makeStream?(descriptor.rawValue)
      let connection = Connection(descriptor, stream, self)
      try connection.start(on: loop)
      live.insert(connection)
      metrics.accepted.increment()
      metrics.open.add(1)
    } catch {
      // Memory or descriptors have run out: it is closed, as one too many.
      metrics.turnedAway.increment()
    }
  }

  func left(_ connection: Connection<App>, on loop: isolated EventLoop) {
    live.remove(connection)
    metrics.open.add(-1)
    if isDraining, live.count == 0 { drained(on: loop) }
  }

  /// Ends the idle connections of those who are over.
  func judgeIdle(by judge: @escaping (App.Peer) -> IdleVerdict, on loop: isolated EventLoop) {
    self.judge = judge
    dismiss(live.all[...], by: judge, on: loop)
  }

  /// A few in each turn of the loop: there may be many, and judging some anew takes its time.
  private func dismiss(
    _ connections: ArraySlice<Connection<App>>, by judge: @escaping (App.Peer) -> IdleVerdict,
    on loop: isolated EventLoop
  ) {
    for connection in connections.prefix(Self.judgedAtOnce) {
      if let peer = connection.peer { connection.heed(judge(peer), on: loop) }
    }
    let rest = connections.dropFirst(Self.judgedAtOnce)
    if !rest.isEmpty { loop.afterTurn { self.dismiss(rest, by: judge, on: loop) } }
  }

  /// Whether a peer is over already when it comes, as far as anyone ever looked.
  func isOver(_ peer: App.Peer) -> Bool { judge.map { $0(peer) != .stays } ?? false }

  /// Whether one more connection may linger; if so, it calls `endsLingering`.
  func mayLinger() -> Bool {
    guard lingering < Self.mostLingering else { return false }
    lingering += 1
    return true
  }

  func endsLingering() { lingering -= 1 }

  // MARK: Buffers and answers

  /// Lends the buffer that all connections read into; `body` must leave nothing in it that it needs later.
  func withInput<Result>(_ body: (inout [UInt8]) -> Result) -> Result {
    // Moved out and back, so that there is one holder and nothing is copied.
    var bytes: [UInt8] = []
    swap(&bytes, &input)
    defer { swap(&bytes, &input) }
    return body(&bytes)
  }

  /// Writes an answer into `output`; whether the connection stays.
  func write(_ response: Response, answering request: Request?, closes: Bool) -> Bool {
    // Moved out and back, like the buffer for reading.
    var bytes: [UInt8] = []
    swap(&bytes, &output)
    defer { swap(&bytes, &output) }
    if bytes.capacity > Self.outputKept { bytes = [] }
    bytes.removeAll(keepingCapacity: true)
    metrics.answered(response.status)
    let seconds = WallClock.seconds
    if seconds != dateSeconds {
      dateSeconds = seconds
      date = HTTPDate(secondsSince1970: seconds)
    }
    return response.write(to: &bytes, answering: request, at: date, closes: closes)
  }

  // MARK: The end

  /// Ends every connection as soon as what it is doing is done, all of them after the time that is given.
  func drain(_ whenEmpty: CheckedContinuation<Void, Never>, on loop: isolated EventLoop) {
    isDraining = true
    self.whenEmpty = whenEmpty
    for connection in live.all { connection.drain(on: loop) }
    guard live.count > 0 else { return drained(on: loop) }
    deadline = loop.schedule(after: configuration.drain) {
      for connection in self.live.all { connection.close(on: loop) }
    }
  }

  private func drained(on loop: isolated EventLoop) {
    if let deadline { loop.cancel(deadline) }
    whenEmpty?.resume()
    whenEmpty = nil
  }
}
