internal import Glibc
internal import Reactor
internal import TLS

/// One TLS connection to the server. Its calls block, until their deadline at most.
final class ServerConnection {
  private let socket: Descriptor
  private let stream: TLSStream<NoPeer>
  private var parser: AnswerParser

  /// Connects to the first of the server's addresses that answers, and shakes hands.
  init(
    to server: ServerURL, _ context: ClientContext, bodyLimit: Int, until deadline: MonotonicInstant,
    _ cut: CancellationCut
  ) throws(ClientError) {
    parser = AnswerParser(bodyLimit: bodyLimit)
    socket = try connect(to: server, until: deadline, cut)
    do throws(TLSConfigurationError) {
      stream = try context.makeStream(descriptor: socket.rawValue, host: server.host)
    } catch { throw .unusable(error.description) }
    cut.watch(socket.rawValue)
    defer { cut.watch(nil) }
    _ = try advance(until: deadline, cut) { $0.handshake() }
  }

  deinit { _ = stream.shutdown() }

  /// Whether a part of an answer has come: then the request was received.
  var hasAnswerBegun: Bool { parser.hasBegun }

  /// Writes a request and reads its answer.
  func exchange(
    _ request: [UInt8], until deadline: MonotonicInstant, _ cut: CancellationCut
  ) throws(ClientError) -> Answer {
    cut.watch(socket.rawValue)
    defer { cut.watch(nil) }
    var written = 0
    while written < request.count {
      written += try advance(until: deadline, cut) { $0.write(request.span.extracting(written...)) } ?? 0
    }
    var piece = [UInt8](repeating: 0, count: 16 * 1024)
    var ended = false
    while true {
      if let answer = try nextAnswer(ended: ended) { return answer }
      let count = try advance(until: deadline, cut) { stream in
        var span = piece.mutableSpan
        return stream.read(into: &span)
      }
      parser.add(piece[..<(count ?? 0)])
      ended = count == nil
    }
  }

  private func nextAnswer(ended: Bool) throws(ClientError) -> Answer? {
    do throws(AnswerFailure) { return try parser.next(ended: ended) } catch {
      throw .unreadable(error.detail)
    }
  }

  /// Repeats a step until it is done; nil: the server has closed.
  private func advance(
    until deadline: MonotonicInstant, _ cut: CancellationCut, _ step: (TLSStream<NoPeer>) -> Progress
  ) throws(ClientError) -> Int? {
    while true {
      switch step(stream) {
      case .done(let count): return count
      case .closed: return nil
      case .wantRead: try wait(for: socket, Int16(POLLIN), until: deadline)
      case .wantWrite: try wait(for: socket, Int16(POLLOUT), until: deadline)
      case .failed(let failure): throw cut.isCut ? .cancelled : ClientError(failure)
      }
    }
  }
}

extension ClientError {
  fileprivate init(_ failure: TLSFailure) {
    switch failure {
    case .alertReceived(let alert) where alert.isAboutCertificate: self = .refused(Problem(alert: "\(alert)"))
    case .transport(let number):
      self = .cannotTell(reason: "\(SystemError(errno: number, call: "connection"))", retryAfter: nil)
    case .alertReceived, .untrusted, .refused, .protocolError, .truncated:
      self = .cannotTell(reason: failure.description, retryAfter: nil)
    }
  }
}

extension Alert {
  fileprivate var isAboutCertificate: Bool {
    switch self {
    case .badCertificate, .unsupportedCertificate, .certificateRevoked, .certificateExpired,
      .certificateUnknown,
      .unknownAuthority, .accessDenied, .certificateRequired:
      true
    case .handshakeFailure, .decodeError, .decryptError, .internalError: false
    }
  }
}

/// Tries the server's addresses one after the other; each gets its share of the time.
private func connect(
  to server: ServerURL, until deadline: MonotonicInstant, _ cut: CancellationCut
) throws(ClientError) -> Descriptor {
  let addresses: [SocketAddress]
  do { addresses = try SocketAddress.resolve(server.host, port: server.port) } catch {
    throw .cannotTell(reason: "\(error)", retryAfter: nil)
  }
  var last = ClientError.cannotTell(reason: "\(server.host) has no address", retryAfter: nil)
  for (index, address) in addresses.enumerated() {
    let now = MonotonicInstant.now
    let share = now.advanced(by: now.duration(to: deadline) / (addresses.count - index))
    do throws(ClientError) { return try connect(to: address, until: share, cut) } catch { last = error }
    if cut.isCut { throw .cancelled }
  }
  throw last
}

private func connect(
  to address: SocketAddress, until deadline: MonotonicInstant, _ cut: CancellationCut
) throws(ClientError) -> Descriptor {
  let socket: Descriptor
  do throws(SystemError) { socket = try Descriptor.connecting(to: address) } catch {
    throw .cannotTell(reason: "\(error)", retryAfter: nil)
  }
  cut.watch(socket.rawValue)
  defer { cut.watch(nil) }
  try wait(for: socket, Int16(POLLOUT), until: deadline)
  do throws(SystemError) { try socket.takeSocketError() } catch {
    throw .cannotTell(reason: "\(address): \(error)", retryAfter: nil)
  }
  return socket
}

/// Waits until the socket is ready, or broken.
private func wait(
  for socket: borrowing Descriptor, _ events: Int16, until deadline: MonotonicInstant
) throws(ClientError) {
  while true {
    let left = MonotonicInstant.now.duration(to: deadline)
    guard left > .zero else {
      throw .cannotTell(reason: "the server does not answer in time", retryAfter: nil)
    }
    var entry = pollfd(fd: socket.rawValue, events: events, revents: 0)
    // SAFETY: one entry, which lives for the call.
    if unsafe poll(&entry, 1, Int32(clamping: Int64(left / .milliseconds(1)) + 1)) > 0 { return }
  }
}
