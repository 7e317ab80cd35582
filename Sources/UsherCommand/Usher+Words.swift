internal import FoundationEssentials

extension Usher {
  /// The words of the command line after the program's name (proc(5)).
  ///
  /// Swift looks for them in memory beside the environment, and finds none once a preloaded library has set a variable.
  public static var words: [String] {
    guard let line = try? Data(contentsOf: URL(filePath: "/proc/self/cmdline")), line.last == 0 else {
      return Array(CommandLine.arguments.dropFirst())
    }
    let words = line.dropLast().split(separator: 0, omittingEmptySubsequences: false)
    return words.dropFirst().map { String(decoding: $0, as: UTF8.self) }
  }
}
