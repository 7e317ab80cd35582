internal import JSON
internal import UsherClient

/// One request of a verb, and what is printed of its answer.
struct VerbRun: Sendable {
  let verb: Verb
  let given: GivenArguments
  let profile: Profile
  let terminal: Terminal

  private var asJSON: Bool { !given["json"].isEmpty }

  func perform(_ request: VerbRequest) async throws -> ExitCode {
    let limit = try Verb.limit.form.number(given["limit"].first, for: "--limit")
    return try await ClientOutcome.tell(
      terminal, refusal: asJSON ? \.json : { ProblemText.text($0, verb.arguments) }
    ) { () throws(ClientError) in
      let administrator = try profile.administrator()
      switch verb.shape {
      case .resource: return try await show(request, administrator)
      case .list(let columns):
        let pages = Pages(administrator: administrator, terminal: terminal)
        let document = try await pages.document(request.path, limit: limit, cursor: given["cursor"].first)
        if asJSON { return document.rendered }
        guard case .array(let rows)? = document["data"] else { throw .noList }
        return Table(rows, columns: columns).lines(width: terminal.width).joined(separator: "\n")
      case .lines:
        let pages = Pages(administrator: administrator, terminal: terminal)
        let lines = try await pages.lines(request.path, limit: limit, cursor: given["cursor"].first)
        if !asJSON { return lines.isEmpty ? nil : lines.map(\.rendered).joined(separator: "\n") }
        return JSONValue.object([JSONMember("data", .array(lines))]).rendered
      }
    }
  }

  private func show(
    _ request: VerbRequest, _ administrator: Administrator
  ) async throws(ClientError) -> String? {
    let answer = try await administrator.send(
      request.method, request.path, request.content, fields: request.fields.map { ($0.key, $0.value) })
    let printed = given["print"].first
    if let printed, printed == "etag" { return answer.field("etag") ?? "" }
    guard !answer.body.isEmpty else { return asJSON ? "null" : nil }
    let document = try answer.document()
    if let printed {
      guard let value = document.value(at: printed) else {
        throw .unusable("the answer has no member \(printed)")
      }
      return CellText.raw(value)
    }
    if asJSON { return String(decoding: answer.body, as: UTF8.self) }
    let lines = Sheet(document).lines
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }
}

extension ParameterForm {
  /// A number that need not be given.
  fileprivate func number(_ word: String?, for option: String) throws -> Int? {
    guard let word, case .integer(let number) = try value(of: [word], for: option) else { return nil }
    guard number > 0 else { throw UsageError.badValue(word, option: option, allowed: Count.allowed) }
    return Int(number)
  }
}
