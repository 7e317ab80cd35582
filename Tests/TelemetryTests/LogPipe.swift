import Glibc
import Telemetry
import Testing

/// A pipe that stands for standard error: what was written can be read, and it can be full.
final class LogPipe {
  let reading: Int32
  let writing: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    // SAFETY: room for the two descriptors that the kernel writes.
    let made = unsafe pipe(&ends)
    try #require(made == 0)
    (reading, writing) = (ends[0], ends[1])
    try #require(fcntl(reading, F_SETFL, O_NONBLOCK) == 0)
  }

  deinit {
    close(reading)
    close(writing)
  }

  /// All that was written since the last look.
  func text() -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      // SAFETY: the kernel writes at most the buffer's count.
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(reading, $0.baseAddress, $0.count) }
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The lines written since the last look, without their times.
  func lines() -> [String] {
    text().split(separator: "\n").map { line in
      line.hasPrefix("time=") ? String(line.drop { $0 != " " }.dropFirst()) : String(line)
    }
  }
}
