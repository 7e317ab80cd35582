internal import CLinux
internal import Glibc
internal import Reactor

/// A program that a test starts, talks to, and ends.
///
/// Not Foundation's `Process`: that one loses memory, reads beyond a buffer when many descriptors are open (both found by
/// AddressSanitizer), and takes a child for alive for as long as a grandchild lives.
public final class Program: Sendable {
  /// What one of its three standard descriptors is.
  public enum End: Sendable {
    /// `/dev/null`.
    case nothing
    /// Ours is the other end.
    case pipe
    /// A file; written anew when it is for output.
    case file(String)
  }

  /// How it ended.
  public enum Ending: Sendable, Equatable {
    case exit(Int32)
    case signal(Int32)
  }

  public let processID: Int32
  /// Its end can be waited for, and reaped once.
  private let child: Int32
  private let ending = Lock<Ending?>(nil)
  private let input: Lock<Int32?>
  private let output: Int32?

  /// Starts `command`, found in PATH, with our environment and none of our descriptors; it dies of no signal that we
  /// ignore. Errors are never a pipe.
  public init(
    _ command: String, _ arguments: [String] = [], input: End = .nothing, output: End = .nothing,
    errors: End = .nothing
  ) throws {
    // It may end before it has read everything.
    ProcessSignals.ignoreBrokenPipes()
    var spawning = unsafe Spawning()
    let ours = try unsafe (spawning.open(0, input), spawning.open(1, output))
    guard try unsafe spawning.open(2, errors) == nil else { throw Failure("errors cannot be a pipe") }
    processID = try unsafe spawning.run(command, arguments)
    child = linux_pidfd_open(processID)
    self.input = Lock(ours.0)
    self.output = ours.1
  }

  /// Nobody asks for it any more: it ends at once.
  deinit {
    if isRunning { signal(SIGKILL) }
    waitForEnd()
    closeInput()
    if let output { close(output) }
    close(child)
  }

  public var isRunning: Bool { !ends(within: 0) }

  public func signal(_ number: Int32) { _ = linux_pidfd_signal(child, number) }

  @discardableResult
  public func waitForEnd() -> Ending {
    _ = ends(within: -1)
    return ending.withLock { $0 ?? .exit(-1) }
  }

  /// Whether it ends within this many seconds; for ever if negative.
  public func ends(within seconds: Double) -> Bool {
    if ending.withLock({ $0 != nil }) { return true }
    guard Self.isReadable(child, within: seconds) else { return false }
    ending.withLock { ending in
      var (code, isSignal) = (Int32(0), false)
      // SAFETY: both outlive the call.
      guard ending == nil, unsafe linux_pidfd_reap(child, &code, &isSignal) == 1 else { return }
      ending = isSignal ? .signal(code) : .exit(code)
    }
    return true
  }

  /// Writes to its standard input, a pipe.
  public func send(_ bytes: [UInt8]) throws {
    guard let input = input.withLock({ $0 }) else { throw Failure("its input is closed") }
    var sent = 0
    while sent < bytes.count {
      // SAFETY: as many bytes as follow the first that was not sent.
      let count = unsafe bytes.withUnsafeBytes {
        unsafe write(input, $0.baseAddress! + sent, $0.count - sent)
      }
      guard count > 0 else { throw Failure("it reads no more: \(errno)") }
      sent += count
    }
  }

  public func closeInput() {
    input.withLock {
      if let open = $0 { close(open) }
      $0 = nil
    }
  }

  /// Whatever it writes next to its standard output, a pipe; nothing at its end.
  public func received(atMost count: Int = 65536) -> [UInt8] {
    guard let output else { return [] }
    var piece = [UInt8](repeating: 0, count: count)
    while true {
      // SAFETY: the array holds as many bytes as are asked for.
      let count = unsafe read(output, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      return Array(piece.prefix(max(0, count)))
    }
  }

  /// The next line, with its end; less at the end of its output.
  public func receivedLine() -> String {
    var line: [UInt8] = []
    while line.last != UInt8(ascii: "\n") {
      let byte = received(atMost: 1)
      if byte.isEmpty { break }
      line += byte
    }
    return String(decoding: line, as: UTF8.self)
  }

  private static func isReadable(_ descriptor: Int32, within seconds: Double) -> Bool {
    var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      // SAFETY: one event, which outlives the call.
      let count = unsafe poll(&event, 1, seconds < 0 ? -1 : Int32(seconds * 1000))
      if count >= 0 || errno != EINTR { return count > 0 }
    }
  }

  public struct Failure: Error, CustomStringConvertible {
    public let description: String
    init(_ description: String) { self.description = description }
  }
}
