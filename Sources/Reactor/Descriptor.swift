internal import CLinux

/// A file descriptor with one owner, who closes it by going away.
public struct Descriptor: ~Copyable, Sendable {
  /// The kernel's number for it; valid while this value lives.
  public let rawValue: Int32

  /// Takes over an open descriptor.
  public init(owning rawValue: Int32) { self.rawValue = rawValue }

  deinit { _ = close(rawValue) }

  /// Gives the descriptor away: the caller closes it.
  public consuming func release() -> Int32 {
    let number = rawValue
    discard self
    return number
  }

  /// Opens a file. `flags` are those of open(2); `O_CLOEXEC` is added.
  public static func open(
    _ path: String, flags: Int32, mode: UInt32 = 0o600
  ) throws(SystemError) -> Descriptor {
    do throws(SystemError) {
      // SAFETY: the path is a null-terminated string for the length of the call.
      return Descriptor(owning: try immediateCall("open") { unsafe linux_open(path, flags, mode) })
    } catch { throw error.about(path) }
  }

  /// Reads what is there, at most what fits. 0 bytes: the other side has finished.
  public func read(into buffer: inout MutableSpan<UInt8>) throws(SystemError) -> IOResult<Int> {
    let descriptor = rawValue
    // SAFETY: the kernel writes at most `count` bytes into the borrowed span.
    return try systemCall("read") {
      unsafe buffer.withUnsafeMutableBufferPointer {
        unsafe CLinux.read(descriptor, $0.baseAddress, $0.count)
      }
    }
  }

  /// Reads what is there, at most `count` bytes: empty when the other side has finished, nil when there is nothing now.
  public func read(atMost count: Int) throws(SystemError) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var buffer = bytes.mutableSpan
    let result = try read(into: &buffer)
    guard case .done(let length) = result else { return nil }
    bytes.removeLast(count - length)
    return bytes
  }

  /// Writes what the kernel takes now, which may be less than there is.
  public func write(_ bytes: Span<UInt8>) throws(SystemError) -> IOResult<Int> {
    let descriptor = rawValue
    // SAFETY: the kernel reads at most `count` bytes of the span, which outlives the call.
    return try systemCall("write") {
      unsafe bytes.withUnsafeBytes { unsafe CLinux.write(descriptor, $0.baseAddress, $0.count) }
    }
  }

  /// Tells the peer of a socket that nothing more will be written; reading goes on.
  public func shutdownWriting() {
    // Fails only when the connection is gone already, which is what was wanted.
    _ = shutdown(rawValue, Int32(SHUT_WR))
  }

  /// Ends a socket in both directions, as closing does, while its number stays taken.
  public func shutdownBoth() { _ = shutdown(rawValue, Int32(SHUT_RDWR)) }
}
