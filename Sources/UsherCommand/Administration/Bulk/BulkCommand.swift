internal import JSON
internal import UsherClient

/// What `--from` and `usher import` have in common: a file becomes requests, and those are sent or only shown.
struct BulkCommand: Sendable {
  let profile: Profile?
  let terminal: Terminal
  let batch: String?
  let isDryRun, asJSON: Bool
  /// What the lines are requests of, if all are of one.
  var verb: Verb?

  func run(_ lines: [BulkLine]) async throws -> ExitCode {
    if isDryRun {
      if asJSON {
        terminal.print(JSONValue.object([JSONMember("data", .array(lines.map(\.json)))]).rendered)
      } else {
        for line in lines { terminal.print(line.json.rendered) }
      }
      terminal.error("\(lines.count) would be sent")
      return .success
    }
    guard let profile else { throw CommandFailure("there is no profile: usher login makes one") }
    let named = try BulkLine.name(lines, in: batch ?? "")
    var code = ExitCode.success
    let outcome = try await ClientOutcome.tell(terminal, refusal: asJSON ? \.json : ProblemText.text) {
      () throws(ClientError) in
      do {
        let run = BulkRun(
          administrator: try profile.administrator(timeout: .seconds(120)), terminal: terminal,
          parameters: verb?.arguments ?? [], told: verb?.told ?? [], asJSON: asJSON)
        code = try await run.run(named)
      } catch let error as ClientError {
        throw error
      } catch { throw .unusable("\(error)") }
      return nil
    }
    return outcome == .success ? code : outcome
  }
}
