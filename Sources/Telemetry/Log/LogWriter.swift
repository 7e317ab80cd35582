import Glibc

/// The one place that writes lines to standard error, whole and in order.
///
/// It never makes an event loop wait: a line is at most 4 KiB, and when whoever reads standard error has
/// left its pipe full, lines are dropped; the next line that goes out is preceded by how many were.
public final class LogWriter: Sendable {
  let format: LogFormat
  private let descriptor: Int32
  private let dropped = MutexBox<Int64>(0)

  /// A writer on a descriptor that it does not own; standard error unless told otherwise.
  public init(format: LogFormat = .logfmt, descriptor: Int32 = 2) {
    self.format = format
    self.descriptor = descriptor
  }

  func write(_ line: [UInt8]) {
    dropped.withLock { dropped in
      guard hasRoom else {
        dropped += 1
        return
      }
      if dropped > 0 {
        var notice = LogLine(format)
        notice.append("time", .text(Timestamp.now.description))
        notice.append("level", "warning")
        notice.append("logger", "log")
        notice.append("message", "lines were dropped because nobody read them")
        notice.append("lines", .integer(dropped))
        dropped = 0
        send(notice.finished())
        guard hasRoom else {
          dropped = 1
          return
        }
      }
      send(line)
    }
  }

  /// Whether a write of `LogLine.longest` bytes would not block. (A pipe polls as writable only with that room.)
  private var hasRoom: Bool {
    var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    // SAFETY: one initialized pollfd, which the kernel fills before the call returns.
    let ready = unsafe Glibc.poll(&poll, 1, 0)
    return ready == 1 && Int32(poll.revents) & POLLOUT != 0
  }

  private func send(_ line: [UInt8]) {
    var rest = line[...]
    while !rest.isEmpty {
      // SAFETY: the pointer and the count are the slice's own, for the length of the call.
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        return  // Nobody is there to be told.
      }
    }
  }
}
