import Glibc

@testable import TLS

/// A listening socket on which one connection after another is served by the calling thread.
final class LoopbackServer {
  /// What one served connection came to.
  struct Visit<Peer: Sendable>: Sendable {
    let ending: Ending, peer: Peer?, isResumed: Bool, serverName: String?
  }

  private let listener: Int32
  let port: UInt16

  init() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    self.listener = listener
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
    guard isBound else { throw Unexpected("no socket") }
    port = address.sin_port.bigEndian
  }

  deinit { close(listener) }

  /// Accepts one connection, shakes hands, says hello, and ends it as a server should: half-close, then drain.
  ///
  /// With `untilClosed` the client ends it.
  func serve<Verifier>(
    _ context: ServerContext<Verifier>, untilClosed: Bool = false
  ) throws -> Visit<Verifier.Peer> {
    try wait(listener, Int16(POLLIN))
    let descriptor = accept(listener, nil, nil)
    guard descriptor >= 0, fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else { throw Unexpected("accept") }
    defer { close(descriptor) }
    let stream = try context.makeStream(descriptor: descriptor)
    let ending = try finishHandshake(stream, descriptor)
    if case .established = ending {
      if untilClosed {
        try readToEnd(stream, descriptor)
      } else {
        _ = stream.write(Array("hello\n".utf8).span)
      }
      _ = stream.shutdown()
    }
    shutdown(descriptor, Int32(SHUT_WR))
    drain(descriptor)
    return Visit(
      ending: ending, peer: stream.peer, isResumed: stream.isResumed, serverName: stream.serverName)
  }

  private func finishHandshake<Peer>(_ stream: TLSStream<Peer>, _ descriptor: Int32) throws -> Ending {
    while true {
      switch stream.handshake() {
      case .done: return .established
      case .failed(let failure): return .failed(failure)
      case .closed: return .failed(.truncated)
      case .wantRead: try wait(descriptor, Int16(POLLIN))
      case .wantWrite: try wait(descriptor, Int16(POLLOUT))
      }
    }
  }

  private func readToEnd<Peer>(_ stream: TLSStream<Peer>, _ descriptor: Int32) throws {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      var span = bytes.mutableSpan
      switch stream.read(into: &span) {
      case .closed, .failed: return
      case .done: continue
      case .wantRead, .wantWrite: try wait(descriptor, Int16(POLLIN))
      }
    }
  }

  private func drain(_ descriptor: Int32) {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while (try? wait(descriptor, Int16(POLLIN))) != nil, unsafe recv(descriptor, &bytes, bytes.count, 0) > 0 {
    }
  }

  private func wait(_ descriptor: Int32, _ events: Int16) throws {
    var entry = pollfd(fd: descriptor, events: events, revents: 0)
    guard unsafe poll(&entry, 1, 20_000) == 1 else { throw Unexpected("nothing happens on the socket") }
  }
}
