import Foundation
import Reactor

/// Carries connections to PostgreSQL's Unix socket, until a test cuts them or lets them hang.
final class Relay: Sendable {
  enum Mode {
    case carrying, cut, hanging
    /// Connections on which seats are decided break: in the middle of the request, when PostgreSQL has all of it and
    /// begins to answer, in the middle of the answer that grants a seat.
    case tearingRequests, tearingAfterRequests, tearingAnswers
  }

  private struct State {
    var mode = Mode.carrying
    var descriptors: Set<Int32> = []
  }

  let port: UInt16
  private let listener: Int32
  private let target: String
  private let state = Lock(State())
  private let changed = NSCondition()

  init(to installation: Installation) throws {
    target = try installation.socketFolder + "/.s.PGSQL.5432"
    guard FileManager.default.fileExists(atPath: target) else { throw Shell.Failure("no socket \(target)") }
    let endpoint = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    // SAFETY: the address is a whole sockaddr_in of `length` bytes during each call.
    let bound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe bind(endpoint, generic, length) == 0 && listen(endpoint, 64) == 0
          && getsockname(endpoint, generic, &length) == 0
      }
    }
    guard bound else { throw Shell.Failure("cannot listen") }
    port = UInt16(bigEndian: address.sin_port)
    listener = endpoint
    Thread.detachNewThread { [weak self] in
      while true {
        let client = accept(endpoint, nil, nil)
        guard client >= 0, let self else { return }
        self.carry(client)
      }
    }
  }

  deinit {
    // Ends whoever waits in it; the number is given back only then.
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  /// The way to the same database through the relay.
  func url(of installation: Installation) throws -> String {
    let url = try installation.databaseURL
    guard let match = url.firstMatch(of: /^postgres(?:ql)?:\/\/([^@\/]+)@[^\/]*\/([^?]*)/) else {
      throw Shell.Failure("cannot read \(url)")
    }
    return "postgresql://\(match.1)@127.0.0.1:\(port)/\(match.2)?sslmode=disable"
  }

  func set(_ mode: Mode) {
    let broken = state.withLock { state in
      state.mode = mode
      return mode == .cut ? state.descriptors : []
    }
    for descriptor in broken { shutdown(descriptor, Int32(SHUT_RDWR)) }
    changed.broadcast()
  }

  private func carry(_ client: Int32) {
    let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // SAFETY: the path fits (PostgreSQL made it) and the address is whole during the call.
    let connected = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe withUnsafeMutableBytes(of: &pointer.pointee.sun_path) { unsafe $0.copyBytes(from: target.utf8) }
      return unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(server, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    let isKept = state.withLock { state in
      guard connected, state.mode != .cut else { return false }
      state.descriptors.formUnion([client, server])
      return true
    }
    guard isKept else {
      close(client)
      close(server)
      return
    }
    let ended = Lock(0)
    let isDeciding = Lock(false)
    for (from, to) in [(client, server), (server, client)] {
      Thread.detachNewThread { [self] in
        pump(from, to, isRequests: from == client, isDeciding)
        shutdown(to, Int32(SHUT_WR))
        let isLast = ended.withLock { count in
          count += 1
          return count == 2
        }
        guard isLast else { return }
        state.withLock { $0.descriptors.subtract([client, server]) }
        close(client)
        close(server)
      }
    }
  }

  private func pump(_ from: Int32, _ to: Int32, isRequests: Bool, _ isDeciding: Lock<Bool>) {
    var bytes = [UInt8](repeating: 0, count: 16384)
    while true {
      let count = unsafe recv(from, &bytes, bytes.count, 0)
      changed.lock()
      while state.withLock({ $0.mode }) == .hanging { changed.wait() }
      changed.unlock()
      guard count > 0 else { return }
      let tear = tear(in: bytes.prefix(count), isRequests: isRequests, isDeciding)
      guard hand(on: bytes.prefix(tear ?? count), to: to), tear == nil else {
        for descriptor in [from, to] { shutdown(descriptor, Int32(SHUT_RDWR)) }
        return
      }
    }
  }

  /// After how many bytes the connection breaks, if it does; `isDeciding` is shared by its two directions.
  private func tear(in piece: ArraySlice<UInt8>, isRequests: Bool, _ isDeciding: Lock<Bool>) -> Int? {
    func holds(_ word: String) -> Bool { piece.firstRange(of: Array(word.utf8)) != nil }
    switch state.withLock({ $0.mode }) {
    // The name of the statement, and the outcome.
    case .tearingRequests where isRequests && holds("DecideSeats"): return piece.count / 2
    case .tearingAfterRequests where isRequests:
      if holds("DecideSeats") { isDeciding.withLock { $0 = true } }
      return nil
    case .tearingAfterRequests where isDeciding.withLock({ $0 }): return 0
    case .tearingAnswers where !isRequests && holds("granted"): return piece.count / 2
    case .carrying, .cut, .hanging, .tearingRequests, .tearingAfterRequests, .tearingAnswers: return nil
    }
  }

  private func hand(on piece: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
    var sent = piece.startIndex
    while sent < piece.endIndex {
      // SAFETY: as many bytes as the slice has.
      let written = unsafe piece[sent...].withUnsafeBytes {
        unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard written > 0 else { return false }
      sent += written
    }
    return true
  }
}
