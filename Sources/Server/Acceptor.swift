internal import HTTP
internal import Reactor

/// Accepts the connections of one socket on one loop and hands them to the lanes in turn.
final class Acceptor<App: Responder>: EventSource {
  private let socket: ListeningSocket
  private let lanes: [LoopBound<Lane<App>>]
  private var next: Int
  private var registration: Registration?

  /// So many in one turn of the loop: those who are connected already want theirs.
  private static var mostAtOnce: Int { 64 }

  init(_ socket: ListeningSocket, _ lanes: [LoopBound<Lane<App>>], first: Int) {
    self.socket = socket
    self.lanes = lanes
    next = first
  }

  func start(on loop: isolated EventLoop) throws(SystemError) {
    registration = try loop.register(self, descriptor: socket.descriptor)
  }

  func stop(on loop: isolated EventLoop) {
    guard let registration else { return }
    self.registration = nil
    loop.deregister(registration)
    socket.stop()
  }

  func ready(_ readiness: Readiness, on loop: isolated EventLoop) {
    guard registration != nil else { return }
    for _ in 0..<Self.mostAtOnce {
      do throws(SystemError) {
        switch try socket.accept() {
        case .done(let descriptor): handOver(descriptor, on: loop)
        case .wouldBlock: return
        }
      } catch {
        // Descriptors have run out. Those that wait are kept by the kernel.
        loop.schedule(after: .milliseconds(100)) { self.ready(.readable, on: loop) }
        return
      }
    }
    loop.afterTurn { self.ready(.readable, on: loop) }
  }

  private func handOver(_ descriptor: consuming Descriptor, on loop: isolated EventLoop) {
    next = (next + 1) % lanes.count
    let lane = lanes[next]
    if lane.loop === loop { return lane.get(on: loop).adopt(descriptor, on: loop) }
    let number = descriptor.release()
    lane.loop.submit { loop in lane.get(on: loop).adopt(Descriptor(owning: number), on: loop) }
  }
}
