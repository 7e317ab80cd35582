internal import FoundationEssentials
internal import Glibc
internal import Reactor

/// Where a command's words go: results to standard output, the rest to standard error.
struct Terminal: Sendable {
  /// Writes a line to standard output, at once.
  let print: @Sendable (String) -> Void
  /// Writes a line to standard error.
  let error: @Sendable (String) -> Void
  let environment: [String: String]
  /// How many columns there are, if standard output is a terminal.
  let width: Int?
  /// Writes over what it wrote before, if standard error is a terminal; an empty text wipes that away.
  let progress: (@Sendable (String) -> Void)?

  init() {
    print = { Self.write("\($0)\n", to: STDOUT_FILENO) }
    error = { Self.write("\($0)\n", to: STDERR_FILENO) }
    environment = ProcessInfo.processInfo.environment
    width = Self.width(of: STDOUT_FILENO)
    let isLive = Self.width(of: STDERR_FILENO) != nil && environment["TERM"] != "dumb"
    let standing = Lock("")
    let progress: @Sendable (String) -> Void = { text in
      let before = standing.withLock { standing in
        defer { standing = text }
        return standing
      }
      if before != text { Self.write("\r\u{1b}[K\(text)", to: STDERR_FILENO) }
    }
    self.progress = isLive ? progress : nil
  }

  init(
    print: @escaping @Sendable (String) -> Void, error: @escaping @Sendable (String) -> Void,
    environment: [String: String], width: Int? = nil, progress: (@Sendable (String) -> Void)? = nil
  ) {
    self.print = print
    self.error = error
    self.environment = environment
    self.width = width
    self.progress = progress
  }

  /// Nil for what is no terminal; one that does not know is taken to have 80 columns.
  private static func width(of descriptor: Int32) -> Int? {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    // SAFETY: the structure outlives the call that fills it.
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
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
