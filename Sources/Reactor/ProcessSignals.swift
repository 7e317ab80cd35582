internal import CLinux

/// A signal by which somebody asks a server for something.
public enum ProcessSignal: Int32, Sendable, CaseIterable {
  /// SIGHUP: read the configuration again.
  case hangUp = 1
  /// SIGINT: Ctrl-C.
  case interrupt = 2
  /// SIGTERM: end gracefully.
  case terminate = 15
}

/// The signals of this process as a sequence.
public enum ProcessSignals {
  /// From now on SIGTERM, SIGINT and SIGHUP do not end the process but are elements of the sequence, and SIGPIPE is
  /// ignored: a peer that has gone is an error of its write. There is one such sequence; a second call takes over.
  public static func catchAll(on loop: EventLoop) async throws(SystemError) -> AsyncStream<ProcessSignal> {
    ignoreBrokenPipes()
    let pipe = try Pipe()
    // The handler writes to it as long as the process lives.
    let writing = pipe.writing.release()
    let (stream, continuation) = AsyncStream.makeStream(of: ProcessSignal.self)
    try await SignalReader.start(reading: pipe.reading, continuation, on: loop)
    for signal in ProcessSignal.allCases {
      try immediateCall("sigaction") { linux_catch_signal(signal.rawValue, writing) }
    }
    return stream
  }

  /// Ignores SIGPIPE from now on: two resets of a peer would end a process that does not.
  public static func ignoreBrokenPipes() { _ = linux_ignore_signal(SIGPIPE) }
}

/// Turns the bytes that the signal handler writes into elements.
private final class SignalReader: EventSource {
  let reading: Descriptor
  private let continuation: AsyncStream<ProcessSignal>.Continuation

  init(reading: consuming Descriptor, _ continuation: AsyncStream<ProcessSignal>.Continuation) {
    self.reading = reading
    self.continuation = continuation
  }

  static func start(
    reading: consuming Descriptor, _ continuation: AsyncStream<ProcessSignal>.Continuation,
    on loop: isolated EventLoop
  ) throws(SystemError) {
    let reader = SignalReader(reading: reading, continuation)
    _ = try loop.register(reader, descriptor: reader.reading)
  }

  func ready(_ readiness: Readiness, on loop: isolated EventLoop) {
    while let bytes = try? reading.read(atMost: 64), !bytes.isEmpty {
      for byte in bytes { ProcessSignal(rawValue: Int32(byte)).map { _ = continuation.yield($0) } }
    }
  }
}
