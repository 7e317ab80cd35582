import Cryptography
import Fixtures
import Foundation
import PKIX
import Reactor
import TLS

/// A TLS connection that a test holds open, of which it notices at once when the server ends it.
final class HeldConnection {
  let descriptor: Int32
  private let stream: TLSStream<NoPeer>
  private var received: [UInt8] = []

  /// Connects to the device listener on `port` and completes the handshake.
  init(to port: UInt16, in context: ClientContext) throws {
    let endpoint = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    descriptor = endpoint
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    // SAFETY: the address is a whole sockaddr_in during the call.
    let connected = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(endpoint, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard connected, fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else {
      throw Shell.Failure("cannot connect")
    }
    stream = try context.makeStream(descriptor: descriptor, host: "localhost")
    while true {
      switch stream.handshake() {
      case .done: return
      case .wantRead: try wait(POLLIN)
      case .wantWrite: try wait(POLLOUT)
      case .closed: throw Shell.Failure("closed in the handshake")
      case .failed(let failure): throw Shell.Failure("\(failure)")
      }
    }
  }

  deinit { close(descriptor) }

  /// The status and body of an answer to a GET; nil when the server has ended the connection.
  func get(_ path: String) throws -> String? {
    received = []
    return send("GET", path) ? try answer() : nil
  }

  /// Sends a request without a body; false when the connection is gone.
  func send(_ method: String, _ path: String, _ fields: String = "") -> Bool {
    let request = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n"
    if case .done = stream.write(Array(request.utf8).span) { return true }
    return false
  }

  /// The next answer; nil when the server has ended the connection before it.
  func answer() throws -> String? {
    while true {
      if let answer = takeAnswer() { return answer }
      let ended = hasEnded()
      if let answer = takeAnswer() { return answer }
      if ended { return nil }
      try wait(POLLIN)
    }
  }

  /// A head with its Content-Length (a 204 has none) and as long a body, if they have come; by bytes, since CR LF is one
  /// `Character`.
  func takeAnswer() -> String? {
    guard let head = received.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    var length: Int?
    for line in received[..<head.lowerBound].split(separator: UInt8(ascii: "\n")) {
      let words = String(decoding: line, as: UTF8.self).lowercased().split { $0 == ":" || $0.isWhitespace }
      if words.count == 2, words[0] == "content-length" { length = Int(words[1]) }
    }
    let isEmpty = received.starts(with: Array("HTTP/1.1 204".utf8))
    guard let length = isEmpty ? 0 : length, received.count - head.upperBound >= length else { return nil }
    let answer = String(decoding: received.prefix(head.upperBound + length), as: UTF8.self)
    received.removeFirst(head.upperBound + length)
    return answer
  }

  /// Reads what is there; whether the server has ended the connection.
  func hasEnded() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      var span = bytes.mutableSpan
      switch stream.read(into: &span) {
      case .done(let count): received += bytes.prefix(count)
      case .wantRead, .wantWrite: return false
      case .closed, .failed: return true
      }
    }
  }

  /// Whether the server ends the connection.
  func endsWithin(seconds: Int64) -> Bool {
    let deadline = MonotonicInstant.now.advanced(by: .seconds(seconds))
    while !hasEnded() {
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let left = MonotonicInstant.now.duration(to: deadline)
      guard left > .zero, unsafe poll(&entry, 1, Int32(left / .milliseconds(1)) + 1) >= 0 else {
        return false
      }
    }
    return true
  }

  private func wait(_ events: Int32) throws {
    var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    guard unsafe poll(&entry, 1, 20_000) == 1 else {
      throw Shell.Failure(
        "the server says nothing after \(String(decoding: received, as: UTF8.self).debugDescription)")
    }
  }
}

extension Installation {
  /// What a client of this installation with this certificate brings.
  func clientContext(_ identity: TestIdentity) throws -> ClientContext {
    let pem = try Array(Data(contentsOf: URL(fileURLWithPath: serverCA)))
    return try ClientContext(
      authorities: Certificate.all(inPEM: pem),
      credential: Credential(chain: [identity.certificate], privateKey: identity.key))
  }
}
