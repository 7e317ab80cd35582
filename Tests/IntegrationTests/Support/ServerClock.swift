import Fixtures
import Foundation

/// The wall clock of one server, which a test moves: `libfaketime`, for that process alone. Its timers go by the
/// monotonic clock, which is left as it is.
struct ServerClock: Sendable {
  /// Nil where Debian's package `faketime` is not installed, and beside a sanitizer, which wants to be the first library.
  static let library =
    ProcessInfo.processInfo.environment["USHER_TEST_SANITIZER"] == nil
    ? ["x86_64", "aarch64"].map { "/usr/lib/\($0)-linux-gnu/faketime/libfaketimeMT.so.1" }
      .first { FileManager.default.fileExists(atPath: $0) } : nil

  private let file: String

  init(in installation: Installation) throws {
    file = try installation.folder.write("+0s", to: UUID().uuidString + ".clock")
  }

  var environment: [String: String] {
    [
      "LD_PRELOAD": Self.library ?? "", "FAKETIME_TIMESTAMP_FILE": file, "FAKETIME_NO_CACHE": "1",
      "FAKETIME_DONT_FAKE_MONOTONIC": "1", "TZ": "UTC",
    ]
  }

  /// Lets the clock stand still at a time of RFC 3339 in UTC, without what it has below a second.
  func stand(at time: String) throws {
    try time.prefix(19).replacingOccurrences(of: "T", with: " ").write(
      toFile: file, atomically: true, encoding: .utf8)
  }

  /// Moves the clock to so many seconds after the real time.
  func advance(bySeconds seconds: Int) throws {
    try "+\(seconds)s".write(toFile: file, atomically: true, encoding: .utf8)
  }
}
