import HTTP
import PKIX
import Reactor
import Synchronization
import TLS

/// Whom a test certificate speaks for; anyone may withdraw it.
final class TestPeer: Sendable {
  let name: String
  private let lost = Atomic(false)

  init(name: String) { self.name = name }

  var stands: Bool { !lost.load(ordering: .acquiring) }
  func withdraw() { lost.store(true, ordering: .releasing) }
}

/// Lets every certificate in, or none, at once or when a gate opens.
final class TestVerifier: PeerVerifier {
  private let refusal: Refusal?
  private let gate: Gate?
  private let all = Lock<[TestPeer]>([])

  init(refusing refusal: Refusal? = nil, waitingAt gate: Gate? = nil) {
    self.refusal = refusal
    self.gate = gate
  }

  var mayWait: Bool { gate != nil }

  var peers: [TestPeer] { all.withLock { $0 } }

  func verify(_ chain: borrowing PresentedChain) throws(Refusal) -> TestPeer {
    if let gate { BlockingThreads.wait { await gate.pass() } }
    if let refusal { throw refusal }
    let peer = TestPeer(name: "\(chain.leaf.subject)")
    all.withLock { $0.append(peer) }
    return peer
  }

  func stillStands(_ peer: TestPeer, under serverName: String?) -> Bool { peer.stands }
}

/// Answers by path: what it was sent, much, late, or as a peer.
final class TestApp: Responder {
  let gate: Gate

  init(gate: Gate = Gate()) { self.gate = gate }

  func responseAtOnce(
    to request: Request, from peer: TestPeer?, remembering memory: inout NoMemory?
  ) -> Response? {
    guard request.path == "/at-once", peer?.stands ?? true else { return nil }
    return Response(200, body: Array("at once".utf8))
  }

  func respond(to request: Request, from peer: TestPeer?) async -> Response {
    if let peer, !peer.stands { return Response(410, body: Array("withdrawn".utf8), closes: true) }
    if request.path == "/at-once" { return Response(500, body: Array("asked all the same".utf8)) }
    switch request.path {
    case "/echo": return Response(200, body: request.body)
    case "/big": return Response(200, body: [UInt8](repeating: UInt8(ascii: "x"), count: 5_000_000))
    case "/whoami": return Response(200, body: Array((peer?.name ?? "nobody").utf8))
    case "/wait":
      await gate.pass()
      return Response(200, body: Array("waited".utf8))
    default: return Response(200, body: Array(request.path.utf8))
    }
  }
}

/// Holds whoever comes until it is opened, or until they are cancelled.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
    /// How many ever came: whoever was cancelled meanwhile waits no more.
    var arrived = 0
    var arrivals: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var cancelled = 0
  }

  private let state = Lock(State())

  var cancelled: Int { state.withLock { $0.cancelled } }

  func pass() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (passes, arrived) = state.withLock { state in
          state.arrived += 1
          let count = state.arrived
          let arrivals = state.arrivals.filter { $0.count <= count }.map(\.continuation)
          state.arrivals.removeAll { $0.count <= count }
          if state.isOpen || Task.isCancelled { return (true, arrivals) }
          state.waiting.append(continuation)
          return (false, arrivals)
        }
        if passes { continuation.resume() }
        for continuation in arrived { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.cancelled += 1 }
      open()
    }
  }

  /// Waits until so many have come; throws when the test is cancelled, which its time limit does.
  func hold(_ count: Int = 1) async throws {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReached = state.withLock { state in
          if state.arrived >= count || Task.isCancelled { return true }
          state.arrivals.append((count, continuation))
          return false
        }
        if isReached { continuation.resume() }
      }
    } onCancel: {
      let arrivals = state.withLock { state in
        defer { state.arrivals = [] }
        return state.arrivals
      }
      for arrival in arrivals { arrival.continuation.resume() }
    }
    try Task.checkCancellation()
  }

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
