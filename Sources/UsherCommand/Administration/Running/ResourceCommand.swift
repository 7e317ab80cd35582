internal import JSON
internal import UsherClient

/// `usher RESOURCE VERB …`: runs whatever the table says of it.
struct ResourceCommand: Sendable {
  let resource: Resource
  let terminal: Terminal

  func run(_ words: [String]) async -> ExitCode {
    guard let first = words.first, !Usher.isHelp([first]) else {
      (words.isEmpty ? terminal.error : terminal.print)(Help.text(for: resource))
      return words.isEmpty ? .failure : .success
    }
    guard let verb = resource.verb(named: first) else {
      let guess = Suggestion.closest(to: first, among: resource.verbs.map(\.name))
      terminal.error(
        "usher \(resource.name): there is no \(first)\(guess.map { "; did you mean \($0)?" } ?? "")\n"
          + "See usher \(resource.name) --help")
      return .failure
    }
    let name = "\(resource.name) \(verb.name)"
    let rest = Array(words.dropFirst())
    if Usher.isHelp(rest) {
      terminal.print(Help.text(name, verb.arguments, verb.discussion))
      return .success
    }
    do {
      return try await run(verb, GivenArguments(rest, of: verb.arguments, isComplete: false))
    } catch let error as UsageError {
      terminal.error("usher \(name): \(error)\nSee usher \(name) --help")
      return .failure
    } catch let failure as CommandFailure {
      terminal.error("usher \(name): \(failure.message)")
      return failure.exitCode
    } catch {
      terminal.error("usher \(name): \(error)")
      return .failure
    }
  }

  private func run(_ verb: Verb, _ given: GivenArguments) async throws -> ExitCode {
    let file = try ProfileFile(given["profile"].first, terminal.environment)
    if let source = given["from"].first, verb.isBulk {
      let profile = file.exists ? try file.read() : nil
      let lines = try BulkFile.lines(
        CSV(try BulkFile.read(source)), of: verb, given, organization: profile?.organization)
      return try await BulkCommand(
        profile: profile, terminal: terminal, batch: given["batch"].first,
        isDryRun: !given["dry-run"].isEmpty, asJSON: !given["json"].isEmpty, verb: verb
      ).run(lines)
    }
    guard given["dry-run"].isEmpty else { throw CommandFailure("--dry-run goes with --from") }
    try given.require(verb.arguments)
    // Without a profile what is wrong with the words is still said first.
    let profile = file.exists ? try file.read() : nil
    let request = try VerbRequest(
      verb, given, organization: profile?.organization ?? (profile == nil ? "?" : nil))
    return try await VerbRun(verb: verb, given: given, profile: profile ?? file.read(), terminal: terminal)
      .perform(request)
  }
}
