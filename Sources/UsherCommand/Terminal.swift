internal import FoundationEssentials
internal import Glibc

/// Where a command's words go: results to standard output, the rest to standard error.
struct Terminal: Sendable {
  /// Writes a line to standard output, at once.
  let print: @Sendable (String) -> Void
  /// Writes a line to standard error.
  let error: @Sendable (String) -> Void
  let environment: [String: String]

  init() {
    print = { Self.write("\($0)\n", to: STDOUT_FILENO) }
    error = { Self.write("\($0)\n", to: STDERR_FILENO) }
    environment = ProcessInfo.processInfo.environment
  }

  init(
    print: @escaping @Sendable (String) -> Void, error: @escaping @Sendable (String) -> Void,
    environment: [String: String]
  ) {
    self.print = print
    self.error = error
    self.environment = environment
  }

  private static func write(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
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
