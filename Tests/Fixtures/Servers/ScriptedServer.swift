internal import Foundation
public import TLS

/// A server on a thread of its own that answers as the test says, one connection after another.
///
/// SAFETY: what is seen is under a lock; the rest does not change.
public final class ScriptedServer: @unchecked Sendable {
  /// What the server does on one connection: an answer for each request, then its end.
  public struct Act: Sendable {
    var answers: [String]
    var waits: Bool

    /// With `waits` it does not close after the last answer, but waits for the client to.
    public init(answers: [String], waits: Bool = false) {
      self.answers = answers
      self.waits = waits
    }
  }

  /// One request as it came, and whose it was.
  public struct Visit: Sendable {
    /// Which connection it came on, from 0.
    public let connection: Int
    /// Head and body.
    public let request: String
    /// The subject of the client's certificate.
    public let peer: String?
  }

  public let port: UInt16
  private let listener: Int32
  private let lock = NSLock()
  private var seen: [Visit] = []

  /// What came so far.
  public var requests: [Visit] { lock.withLock { seen } }
  public var url: String { "https://127.0.0.1:\(port)" }

  /// Listens on 127.0.0.1 and plays one act for each connection.
  public init(_ context: ServerContext<Doorman>, _ acts: [Act]) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    // SAFETY: the address lives for the calls that read and fill it.
    let isBound = unsafe withUnsafeMutableBytes(of: &address) { bytes in
      let address = unsafe bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
      return unsafe bind(listener, address, length) == 0 && listen(listener, 16) == 0
        && getsockname(listener, address, &length) == 0
    }
    guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
    self.listener = listener
    port = address.sin_port.bigEndian
    Thread.detachNewThread { [self] in
      for (index, act) in acts.enumerated() { serve(act, index, context) }
      close(listener)
    }
  }

  private func serve(_ act: Act, _ index: Int, _ context: ServerContext<Doorman>) {
    let descriptor = accept(listener, nil, nil)
    guard descriptor >= 0, fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0,
      let stream = try? context.makeStream(descriptor: descriptor)
    else { return }
    defer { close(descriptor) }
    if advance(descriptor, { stream.handshake() }) != nil {
      for answer in act.answers {
        guard let request = readRequest(stream, descriptor) else { break }
        lock.withLock { seen.append(Visit(connection: index, request: request, peer: stream.peer?.name)) }
        _ = advance(descriptor) { stream.write(Array(answer.utf8).span) }
      }
      if act.waits { _ = readRequest(stream, descriptor) }
      _ = stream.shutdown()
    }
    shutdown(descriptor, Int32(SHUT_WR))
    var rest = [UInt8](repeating: 0, count: 4096)
    while wait(descriptor, Int16(POLLIN)), unsafe recv(descriptor, &rest, rest.count, 0) > 0 {}
  }

  /// A whole request with its body; nil when the client has closed.
  private func readRequest<Peer>(_ stream: TLSStream<Peer>, _ descriptor: Int32) -> String? {
    var request = ""
    while true {
      var piece = [UInt8](repeating: 0, count: 4096)
      let count = advance(descriptor) {
        var span = piece.mutableSpan
        return stream.read(into: &span)
      }
      guard let count else { return nil }
      request += String(decoding: piece[..<count], as: UTF8.self)
      guard let end = request.range(of: "\r\n\r\n") else { continue }
      let length = request.firstMatch(of: /Content-Length: (\d+)/).flatMap { Int($0.1) } ?? 0
      if length == 0 || !request[end.upperBound...].isEmpty { return request }
    }
  }

  private func advance(_ descriptor: Int32, _ step: () -> TLS.Progress) -> Int? {
    while true {
      switch step() {
      case .done(let count): return count
      case .wantRead: guard wait(descriptor, Int16(POLLIN)) else { return nil }
      case .wantWrite: guard wait(descriptor, Int16(POLLOUT)) else { return nil }
      case .closed, .failed: return nil
      }
    }
  }

  private func wait(_ descriptor: Int32, _ events: Int16) -> Bool {
    var entry = pollfd(fd: descriptor, events: events, revents: 0)
    return unsafe poll(&entry, 1, 20_000) == 1
  }
}
