internal import CLinux

extension ChildProcess {
  /// What a program that ran to its end said and how it ended.
  public struct Completed: Sendable {
    public let status: ExitStatus
    /// Standard output and standard error together, at most 1 MiB of it.
    public let output: [UInt8]
  }

  /// Runs a program to its end and collects what it says.
  public static func run(_ command: Command, on loop: EventLoop) async throws(SystemError) -> Completed {
    let reader: OutputReader
    let child: ChildProcess
    do {
      let pipe = try Pipe(writingBlocks: true)
      var command = command
      command.output = .descriptor(pipe.writing.rawValue)
      child = try await spawn(command, on: loop)
      // Our copy of the writing end goes away here, so that the child's end is the output's end.
      reader = try await OutputReader.start(reading: pipe.reading, on: loop)
    }
    let output = await reader.output()
    return Completed(status: await child.waitForExit(), output: output)
  }
}

/// Reads a pipe to its end.
private final class OutputReader: EventSource, Sendable {
  private static let limit = 1 << 20

  private struct State {
    var bytes: [UInt8] = []
    var isComplete = false
    var waiting: CheckedContinuation<[UInt8], Never>?
    var registration: Registration?
  }

  private let reading: Descriptor
  private let state = Lock(State())

  private init(reading: consuming Descriptor) { self.reading = reading }

  static func start(
    reading: consuming Descriptor, on loop: isolated EventLoop
  ) throws(SystemError) -> OutputReader {
    let reader = OutputReader(reading: reading)
    let registration = try loop.register(reader, descriptor: reader.reading)
    reader.state.withLock { $0.registration = registration }
    return reader
  }

  func output() async -> [UInt8] {
    await withCheckedContinuation { continuation in
      let complete: [UInt8]? = state.withLock { state in
        if state.isComplete { return state.bytes }
        state.waiting = continuation
        return nil
      }
      if let complete { continuation.resume(returning: complete) }
    }
  }

  func ready(_ readiness: Readiness, on loop: isolated EventLoop) {
    do throws(SystemError) {
      while let bytes = try reading.read(atMost: 16384) {
        if bytes.isEmpty { return finish(on: loop) }
        state.withLock { $0.bytes += bytes.prefix(Self.limit - $0.bytes.count) }
      }
    } catch { finish(on: loop) }
  }

  private func finish(on loop: isolated EventLoop) {
    let (waiting, bytes, registration) = state.withLock { state in
      defer { state.waiting = nil }
      state.isComplete = true
      return (state.waiting, state.bytes, state.registration)
    }
    if let registration { loop.deregister(registration) }
    waiting?.resume(returning: bytes)
  }
}
