import Testing

@testable import UsherCommand

/// Runs the program in this process, and keeps what it printed.
struct Screen {
  var code: ExitCode = .success
  var printed = ""
  var errors = ""

  static func after(_ words: String..., environment: [String: String] = [:]) async -> Screen {
    await after(words, environment: environment)
  }

  static func after(_ words: [String], environment: [String: String] = [:]) async -> Screen {
    let (lines, feed) = AsyncStream.makeStream(of: (isError: Bool, text: String).self)
    let terminal = Terminal(
      print: { feed.yield((false, $0 + "\n")) }, error: { feed.yield((true, $0 + "\n")) },
      environment: environment)
    var screen = Screen()
    screen.code = await Usher.run(words, terminal)
    feed.finish()
    for await line in lines {
      if line.isError { screen.errors += line.text } else { screen.printed += line.text }
    }
    return screen
  }
}
