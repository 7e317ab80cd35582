import FoundationEssentials
import Testing

@testable import UsherCommand

@Suite struct UsherTests {
  @Test func `without a command it says how it is used, and fails`() async {
    let screen = await Screen.after()
    #expect(screen.code == .failure)
    #expect(screen.printed.isEmpty)
    #expect(screen.errors.contains("Usage: usher COMMAND [OPTIONS]"))
  }

  @Test(arguments: ["--help", "-h", "help"])
  func `help names every command and goes to standard output`(word: String) async {
    let screen = await Screen.after(word)
    #expect(screen.code == .success)
    #expect(screen.errors.isEmpty)
    for command in Usher.commands { #expect(screen.printed.contains("\n  \(command.name) ")) }
  }

  @Test func `the version is one word after the name`() async {
    let screen = await Screen.after("--version")
    #expect(screen.printed == "usher \(Version.current)\n")
    #expect(screen.code == .success)
  }

  @Test func `the changelog begins with this version`() throws {
    let path = #filePath.replacing("Tests/UsherCommandTests/UsherTests.swift", with: "CHANGELOG.md")
    let headings = try String(contentsOfFile: path, encoding: .utf8).matches(of: /\n## ([0-9.]+)/)
    #expect(headings.first?.1 == Version.current[...])
  }

  @Test(arguments: [
    "dev", "serve", "migrate", "operator-token", "enroll", "claim", "check", "release", "verify-chain",
  ])
  func `every command has help, for which nothing else need be right`(name: String) async {
    let screen = await Screen.after(name, "--nonsense", "--help")
    #expect(screen.code == .success)
    #expect(screen.printed.hasPrefix("Usage: usher \(name) "))
    let same = await Screen.after("help", name)
    #expect(same.printed == screen.printed)
    for line in screen.printed.split(separator: "\n") { #expect(line.count <= 120) }
  }

  @Test(arguments: [
    ("clam", "there is no command clam; did you mean claim?"),
    ("srve", "there is no command srve; did you mean serve?"),
    ("op", "there is no command op; did you mean operator-token?"),
    ("frobnicate", "there is no command frobnicate\n"),
  ])
  func `an unknown command is named, with what it may have meant`(word: String, message: String) async {
    let screen = await Screen.after(word)
    #expect(screen.code == .failure)
    #expect(screen.errors.contains(message))
  }

  @Test func `a command line that is wrong is one line, and where to read on`() async {
    let screen = await Screen.after("dev", "--device-prt", "1")
    #expect(screen.code == .failure)
    #expect(
      screen.errors
        == "usher dev: there is no option --device-prt; did you mean --device-port?\nSee usher dev --help\n")
  }

  @Test(arguments: ["serve", "migrate", "operator-token"])
  func `a configuration that is wrong ends the command with its name`(name: String) async {
    let screen = await Screen.after(name, "--config", "/nonexistent/usher.json")
    #expect(screen.code == .failure)
    #expect(screen.errors == "usher \(name): /nonexistent/usher.json: it cannot be read\n")
  }
}
