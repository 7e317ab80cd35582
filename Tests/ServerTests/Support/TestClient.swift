import Reactor
import TLS

/// A client that does exactly what a test tells it, one byte at a time if need be.
final class TestClient {
  struct Failed: Error { let what: String }

  private let socket: TestSocket
  private let registration: Registration
  private let stream: TLSStream<NoPeer>?
  private(set) var received: [UInt8] = []

  /// Connects; with a context, shakes hands too.
  init(port: UInt16, tls context: ClientContext? = nil, host: String = "localhost") async throws {
    guard let address = SocketAddress("127.0.0.1", port: port) else { throw Failed(what: "address") }
    let socket = try TestSocket(connectingTo: address)
    self.socket = socket
    registration = try await TestSocket.loop().register(socket, rawDescriptor: socket.descriptor.rawValue)
    stream = try context?.makeStream(descriptor: socket.descriptor.rawValue, host: host)
    try await wait()
    try socket.descriptor.takeSocketError()
    if stream != nil { try await shakeHands() }
  }

  /// The socket is closed when the loop has forgotten it.
  deinit {
    let (socket, registration) = (socket, registration)
    try? TestSocket.loop().submit { loop in
      loop.deregister(registration)
      withExtendedLifetime(socket) {}
    }
  }

  private func shakeHands() async throws {
    while true {
      switch stream?.handshake() ?? .done(0) {
      case .done: return
      case .wantRead, .wantWrite: try await wait()
      case .closed: throw TLSFailure.truncated
      case .failed(let failure): throw failure
      }
    }
  }

  func send(_ text: String) async throws { try await send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) async throws {
    var sent = 0
    while sent < bytes.count {
      switch write(Array(bytes[sent...])) {
      case .done(let count): sent += count
      case .wantRead, .wantWrite: try await wait()
      case .closed: throw Failed(what: "closed")
      case .failed(let failure): throw failure
      }
    }
  }

  /// Reads once; false at the end.
  func receive() async throws -> Bool {
    while true {
      switch read() {
      case .done(0), .closed: return false
      case .done: return true
      case .wantRead, .wantWrite: try await wait()
      case .failed(let failure): throw failure
      }
    }
  }

  /// Reads one answer with a Content-Length, or an interim one; nil at the end of the connection.
  func answer(hasBody: Bool = true) async throws -> String? {
    while true {
      if let end = endOfHead() {
        let head = String(decoding: received[..<end], as: UTF8.self)
        let length = head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
          .flatMap { Int($0.dropFirst(16)) }
        let total = end + (hasBody ? length ?? 0 : 0)
        if received.count >= total {
          defer { received.removeFirst(total) }
          return String(decoding: received[..<total], as: UTF8.self)
        }
      }
      if try await !receive() {
        if received.isEmpty { return nil }
        throw Failed(what: "cut after \(received.count) bytes")
      }
    }
  }

  func answerToEnd() async throws -> String {
    while try await receive() {}
    return String(decoding: received, as: UTF8.self)
  }

  /// Whether anything comes, or the end, within this time.
  func hasNews(within limit: Duration) async throws -> Bool {
    let start = MonotonicInstant.now
    while true {
      switch read() {
      case .wantRead, .wantWrite: break
      case .done, .closed, .failed: return true
      }
      let rest = limit - start.duration(to: .now)
      guard rest > .zero, try await socket.change(within: rest) else { return false }
    }
  }

  func finishSending() { socket.descriptor.shutdownWriting() }

  private func endOfHead() -> Int? {
    let mark: [UInt8] = [13, 10, 13, 10]
    return received.indices.first { received[$0...].starts(with: mark) }.map { $0 + 4 }
  }

  private func read() -> Progress {
    var bytes = [UInt8](repeating: 0, count: 65536)
    var buffer = bytes.mutableSpan
    let progress =
      stream?.read(into: &buffer)
      ?? plain { () throws(SystemError) in try socket.descriptor.read(into: &buffer) }
    if case .done(let count) = progress { received += bytes[..<count] }
    return progress
  }

  private func write(_ bytes: [UInt8]) -> Progress {
    stream?.write(bytes.span) ?? plain { () throws(SystemError) in try socket.descriptor.write(bytes.span) }
  }

  private func plain(_ call: () throws(SystemError) -> IOResult<Int>) -> Progress {
    do throws(SystemError) {
      switch try call() {
      case .done(let count): return .done(count)
      case .wouldBlock: return .wantRead
      }
    } catch { return .failed(.transport(error.errno)) }
  }

  private func wait() async throws {
    guard try await socket.change() else { throw Failed(what: "nothing happens") }
  }
}

/// A request without a body.
func get(_ path: String, _ headers: String...) -> String {
  "GET \(path) HTTP/1.1\r\nHost: localhost\r\n" + headers.map { $0 + "\r\n" }.joined() + "\r\n"
}

/// A request with a body.
func post(_ path: String, _ body: String, _ headers: String...) -> String {
  "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n"
    + headers.map { $0 + "\r\n" }.joined() + "\r\n" + body
}

extension String {
  /// The status of an answer.
  var status: Int? { split(separator: " ").dropFirst().first.flatMap { Int($0) } }
  /// What comes after its head.
  var content: String { components("\r\n\r\n").dropFirst().joined() }

  private func components(_ separator: String) -> [String] {
    guard let range = firstRange(of: separator) else { return [self] }
    return [String(self[..<range.lowerBound]), String(self[range.upperBound...])]
  }
}
