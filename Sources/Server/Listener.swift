public import HTTP
public import Reactor
internal import Telemetry

/// An HTTP server at one host and port: one application, on all loops.
public final class Listener<App: Responder>: Sendable {
  /// Where it listens, with the port that was chosen for port 0.
  public let addresses: [SocketAddress]
  private let sockets: [ListeningSocket]
  private let loops: [EventLoop]
  private let app: App
  private let transport: Transport<App.Peer>
  private let configuration: ListenerConfiguration
  private let metrics: ListenerMetrics
  private let handshakeThreads: BlockingThreads?
  private let lanes = Lock<[LoopBound<Lane<App>>]>([])

  /// Takes the port: whether that works is known before anything is served. Connections wait until `run`.
  public init(
    host: String, port: UInt16, transport: Transport<App.Peer>, app: App,
    configuration: ListenerConfiguration, metrics: ServerMetrics, loops: [EventLoop]
  ) throws(SystemError) {
    ProcessSignals.ignoreBrokenPipes()
    sockets = try ListeningSocket.open(host: host, port: port)
    addresses = sockets.map(\.address)
    self.loops = loops
    self.app = app
    self.transport = transport
    handshakeThreads =
      transport.handshakesMayWait ? BlockingThreads(most: Self.mostHandshakesWaiting) : nil
    self.configuration = configuration
    self.metrics = ListenerMetrics(metrics, listener: configuration.name)
  }

  /// So many handshakes at most wait at once; more wait for these.
  private static var mostHandshakesWaiting: Int { 32 }

  public var port: UInt16 { addresses.first?.port ?? 0 }

  /// How many connections are open.
  public var connectionCount: Int { Int(metrics.open.value) }

  /// Serves until the task is cancelled; then drains: nobody new is let in, what is in flight is answered as the last
  /// thing on its connection, what is idle ends, and after the configured time everything does.
  public func run() async throws(SystemError) {
    var lanes: [LoopBound<Lane<App>>] = []
    for loop in loops { lanes.append(await makeLane(on: loop)) }
    self.lanes.withLock { [lanes] in $0 = lanes }
    var acceptors: [LoopBound<Acceptor<App>>] = []
    do throws(SystemError) {
      for (index, socket) in sockets.enumerated() {
        let loop = loops[index % loops.count]
        acceptors.append(try await accept(from: socket, into: lanes, first: index, on: loop))
      }
      await sleepUntilCancelled(on: loops[0])
    } catch {
      await stop(acceptors, lanes)
      throw error
    }
    await stop(acceptors, lanes)
  }

  /// Has every peer that is connected judged anew, and ends idle connections accordingly. One that is in the middle of a
  /// request is left to it: the application judges each request's peer.
  public func judgeIdle(by judge: @escaping @Sendable (App.Peer) -> IdleVerdict) {
    for lane in lanes.withLock({ $0 }) {
      lane.loop.submit { loop in lane.get(on: loop).judgeIdle(by: judge, on: loop) }
    }
  }

  private func makeLane(on loop: isolated EventLoop) -> LoopBound<Lane<App>> {
    let share = configuration.maximumConnections / loops.count
    return LoopBound(
      Lane(
        app, transport, configuration, metrics, handshakeThreads: handshakeThreads,
        maximumConnections: max(1, share)), on: loop)
  }

  private func accept(
    from socket: ListeningSocket, into lanes: [LoopBound<Lane<App>>], first: Int, on loop: isolated EventLoop
  ) throws(SystemError) -> LoopBound<Acceptor<App>> {
    let acceptor = Acceptor(socket, lanes, first: first)
    try acceptor.start(on: loop)
    return LoopBound(acceptor, on: loop)
  }

  private func sleepUntilCancelled(on loop: EventLoop) async {
    while (try? await loop.sleep(for: .seconds(86_400))) != nil {}
  }

  private func stop(_ acceptors: [LoopBound<Acceptor<App>>], _ lanes: [LoopBound<Lane<App>>]) async {
    for acceptor in acceptors { await stop(acceptor, on: acceptor.loop) }
    await withTaskGroup { tasks in
      for lane in lanes { tasks.addTask { await self.drain(lane, on: lane.loop) } }
    }
  }

  private func stop(_ acceptor: LoopBound<Acceptor<App>>, on loop: isolated EventLoop) {
    acceptor.get(on: loop).stop(on: loop)
  }

  private func drain(_ lane: LoopBound<Lane<App>>, on loop: isolated EventLoop) async {
    await withCheckedContinuation { lane.get(on: loop).drain($0, on: loop) }
  }
}
