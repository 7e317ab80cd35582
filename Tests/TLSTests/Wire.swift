import Glibc
import TLS

/// Two connected non-blocking sockets.
final class Wire {
  let near: Int32
  let far: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    // SAFETY: two descriptors are written.
    let made = unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends)
    precondition(made == 0)
    near = ends[0]
    far = ends[1]
  }

  func receiveNear() -> [UInt8] { receive(near) }
  func receiveFar() -> [UInt8] { receive(far) }
  func sendNear(_ bytes: [UInt8]) { send(bytes, near) }
  func sendFar(_ bytes: [UInt8]) { send(bytes, far) }

  private func receive(_ descriptor: Int32) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 100_000)
    // SAFETY: at most `count` bytes are written.
    let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
    return Array(bytes.prefix(max(0, count)))
  }

  private func send(_ bytes: [UInt8], _ descriptor: Int32) {
    // SAFETY: `count` bytes are read.
    let count = unsafe write(descriptor, bytes, bytes.count)
    precondition(count == bytes.count)
  }

  /// The far side ends its writing without a word.
  func cut() { shutdown(far, Int32(SHUT_WR)) }

  /// The far side will never read again.
  func abandon() { shutdown(far, Int32(SHUT_RD)) }

  deinit {
    close(near)
    close(far)
  }
}

/// What one side of a connection came to.
enum Ending: Sendable {
  case established
  case failed(TLSFailure)

  var alert: Alert? {
    switch self {
    case .failed(.refused(let refusal)): refusal.alert
    case .failed(.alertReceived(let alert)): alert
    default: nil
    }
  }
}

extension TLSStream {
  /// One step of the handshake; nil while it waits.
  func step() -> Ending? {
    switch handshake() {
    case .done: .established
    case .failed(let failure): .failed(failure)
    case .closed: .failed(.truncated)
    case .wantRead, .wantWrite: nil
    }
  }

  /// Reads all there is; empty when there is nothing yet, and nil when the connection is over.
  func readAvailable() -> Result<[UInt8], TLSFailure> {
    var all: [UInt8] = []
    while true {
      var piece = [UInt8](repeating: 0, count: 4096)
      var span = piece.mutableSpan
      switch read(into: &span) {
      case .done(let count): all += piece[..<count]
      case .wantRead, .wantWrite, .closed: return .success(all)
      case .failed(let failure): return .failure(failure)
      }
    }
  }
}

/// Runs both handshakes in turn until both sides have ended; what the client learns only when it reads is read.
func shakeHands<Peer>(_ server: TLSStream<Peer>, _ client: TLSStream<NoPeer>) -> (
  server: Ending, client: Ending
) {
  var ends: (server: Ending?, client: Ending?) = (nil, nil)
  for _ in 0..<100 {
    ends.client = ends.client ?? client.step()
    ends.server = ends.server ?? server.step()
    if let server = ends.server, let side = ends.client {
      if case .failed = server, case .established = side, case .failure(let failure) = client.readAvailable()
      {
        return (server, .failed(failure))
      }
      return (server, side)
    }
  }
  preconditionFailure("the handshake does not end")
}
