internal import Reactor
internal import TLS

/// One connection to the target, on one loop, used by one worker. Its calls wait for the server, at most so long as it
/// is given.
final class LoadConnection: EventSource {
  private let socket: Descriptor
  private let stream: TLSStream<NoPeer>
  private let patience: Duration
  private var registration: Registration?
  private var scanner = AnswerScanner()
  /// Something changed since the last wait began.
  private var hasNews = false
  private var waiting: CheckedContinuation<Void, Never>?
  private var deadline: MonotonicInstant
  private var piece = [UInt8](repeating: 0, count: 16 * 1024)

  private init(
    _ target: Target, _ worker: Int, _ identity: LoadIdentity?, _ session: ClientSession?,
    _ patience: Duration,
    on loop: isolated EventLoop
  ) throws(ConnectionFailure) {
    do {
      socket = try .connecting(to: target.address(of: worker))
      stream = try target.context.makeStream(
        descriptor: socket.rawValue, host: target.host, credential: identity?.credential, resuming: session)
    } catch { throw ConnectionFailure("\(error)") }
    self.patience = patience
    deadline = .now.advanced(by: patience)
    do { registration = try loop.register(self, descriptor: socket) } catch {
      throw ConnectionFailure("\(error)")
    }
    watch(on: loop)
  }

  /// Connects and shakes hands.
  static func open(
    to target: Target, for worker: Int, as identity: LoadIdentity?, resuming session: ClientSession? = nil,
    patience: Duration = .seconds(30), on loop: isolated EventLoop
  ) async throws(ConnectionFailure) -> LoadConnection {
    let connection = try LoadConnection(target, worker, identity, session, patience, on: loop)
    do throws(ConnectionFailure) {
      try await connection.wait(on: loop)
      do { try connection.socket.takeSocketError() } catch { throw ConnectionFailure("\(error)") }
      _ = try await connection.advance(on: loop) { $0.handshake() }
      return connection
    } catch {
      connection.close(on: loop)
      throw error
    }
  }

  var isResumed: Bool { stream.isResumed }
  var session: ClientSession? { stream.resumableSession }

  /// Sends a request and waits for its answer.
  func exchange(
    _ request: [UInt8], on loop: isolated EventLoop
  ) async throws(ConnectionFailure) -> AnswerScanner.Answer {
    deadline = loop.now.advanced(by: patience)
    var written = 0
    while written < request.count {
      written += try await advance(on: loop) { $0.write(request.span.extracting(written...)) }
    }
    while true {
      do throws(AnswerScanner.Failure) {
        if let answer = try scanner.next() { return answer }
      } catch { throw ConnectionFailure("the answer is not HTTP/1.1 with a Content-Length") }
      let count = try await advance(on: loop) { _ in read() }
      scanner.add(piece.span.extracting(first: count))
    }
  }

  private func read() -> Progress {
    // Moved out and back: a span borrows a local variable.
    var bytes: [UInt8] = []
    swap(&bytes, &piece)
    defer { swap(&bytes, &piece) }
    var span = bytes.mutableSpan
    return stream.read(into: &span)
  }

  /// Says goodbye and closes. A second time it does nothing.
  func close(on loop: isolated EventLoop) {
    guard let registration else { return }
    _ = stream.shutdown()
    loop.deregister(registration)
    self.registration = nil
    socket.shutdownBoth()
  }

  func ready(_ readiness: Readiness, on loop: isolated EventLoop) { wake() }

  private func wake() {
    hasNews = true
    waiting?.resume()
    waiting = nil
  }

  /// Repeats a step until it is done.
  private func advance(
    on loop: isolated EventLoop, _ step: (TLSStream<NoPeer>) -> Progress
  ) async throws(ConnectionFailure) -> Int {
    while true {
      switch step(stream) {
      case .done(let count): return count
      case .wantRead, .wantWrite: try await wait(on: loop)
      case .closed: throw ConnectionFailure("the server closed the connection")
      case .failed(let failure): throw ConnectionFailure(failure.description)
      }
    }
  }

  private func wait(on loop: isolated EventLoop) async throws(ConnectionFailure) {
    if !hasNews {
      await loop.suspend(isolation: loop) { continuation in
        if hasNews { continuation.resume() } else { waiting = continuation }
      }
    }
    hasNews = false
    guard deadline > .now else { throw ConnectionFailure("no answer in time") }
  }

  /// Wakes whoever waits when the time is up. One timer serves all exchanges of the connection.
  private func watch(on loop: isolated EventLoop) {
    loop.schedule(at: max(deadline, loop.now.advanced(by: .seconds(1)))) { [weak self] in
      guard let self, registration != nil else { return }
      if waiting != nil, deadline <= .now { wake() }
      watch(on: loop)
    }
  }
}

/// Why a connection came to nothing.
struct ConnectionFailure: Error, Sendable {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}
