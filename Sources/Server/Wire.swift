internal import Reactor
internal import TLS

/// The bytes of one connection, with TLS or without.
struct Wire<Peer: AnyObject & Sendable>: ~Copyable {
  private let descriptor: Descriptor
  private(set) var stream: TLSStream<Peer>?

  init(_ descriptor: consuming Descriptor, _ stream: TLSStream<Peer>?) {
    self.descriptor = descriptor
    self.stream = stream
  }

  /// Whether there may be bytes to read that the descriptor does not speak of.
  var hasPending: Bool { stream?.hasPending ?? false }

  func register(_ source: some EventSource, on loop: isolated EventLoop) throws(SystemError) -> Registration {
    try loop.register(source, descriptor: descriptor)
  }

  func handshake() -> Progress { stream?.handshake() ?? .done(0) }

  /// Reads what is there and fits; `closed` when the peer has finished.
  func read(into buffer: inout MutableSpan<UInt8>) -> Progress {
    stream?.read(into: &buffer) ?? readBeneath(into: &buffer)
  }

  /// The same beneath TLS.
  func readBeneath(into buffer: inout MutableSpan<UInt8>) -> Progress {
    do throws(SystemError) {
      switch try descriptor.read(into: &buffer) {
      case .done(0): return .closed
      case .done(let count): return .done(count)
      case .wouldBlock: return .wantRead
      }
    } catch { return .failed(.transport(error.errno)) }
  }

  /// Throws away what is there; how much that was, together with what was `discarded`, or nil at the end and after too much.
  func discard(by buffer: inout MutableSpan<UInt8>, after discarded: Int) -> Int? {
    var sum = discarded
    while sum < 1 << 20 {
      switch readBeneath(into: &buffer) {
      case .done(let count): sum += count
      case .wantRead, .wantWrite: return sum
      case .closed, .failed: return nil
      }
    }
    return nil
  }

  /// How many bytes the kernel took, 0: not now, nil: the connection is gone.
  func send(_ bytes: Span<UInt8>) -> Int? {
    switch write(bytes) {
    case .done(let count): count
    case .wantRead, .wantWrite: 0
    case .closed, .failed: nil
    }
  }

  /// Writes what the kernel takes.
  private func write(_ bytes: Span<UInt8>) -> Progress {
    if let stream { return stream.write(bytes) }
    do throws(SystemError) {
      switch try descriptor.write(bytes) {
      case .done(let count): return .done(count)
      case .wouldBlock: return .wantWrite
      }
    } catch { return .failed(.transport(error.errno)) }
  }

  /// Tells the peer that nothing more comes, on both layers.
  mutating func finishWriting() {
    _ = stream?.shutdown()
    stream = nil
    descriptor.shutdownWriting()
  }

  /// Ends it in both directions; the descriptor's number is free when its last holder has gone.
  mutating func close() {
    stream = nil
    descriptor.shutdownBoth()
  }
}
