internal import JSON
internal import UsherClient

/// A refusal as people read it, in the words of the command line.
enum ProblemText {
  static func text(_ problem: Problem) -> String { text(problem, []) }

  static func text(_ problem: Problem, _ parameters: [Parameter]) -> String {
    let document = try? JSONValue(parsing: Array(problem.json.utf8))
    return text(code: problem.code, detail: problem.detail, document ?? .null, parameters)
      + (problem.contactURL.map { "\n  contact: \(CellText.plain($0))" } ?? "")
  }

  /// - Parameter document: the problem, of which the errors of single members are told.
  static func text(code: String, detail: String, _ document: JSONValue, _ parameters: [Parameter]) -> String {
    var detail = detail
    var lines: [String] = []
    if case .array(let errors)? = document["errors"], !errors.isEmpty {
      // The detail says the same of one error, in the words of the API.
      if case .string(let title) = document["title"] { detail = title }
      for error in errors {
        guard case .string(let pointer) = error["pointer"], case .string(let detail) = error["detail"] else {
          continue
        }
        lines.append("  \(CellText.plain(name(pointer, parameters))): \(CellText.plain(detail))")
      }
    }
    return (["refused: \(CellText.plain(detail)) (\(CellText.plain(code)))"] + lines).joined(separator: "\n")
  }

  /// What the command line calls what the pointer points at.
  private static func name(_ pointer: String, _ parameters: [Parameter]) -> String {
    for parameter in parameters {
      let name = parameter.word
      switch parameter.place {
      case .member(let member) where pointer == "/\(member)": return name
      case .member(let member) where pointer.hasPrefix("/\(member)/"):
        return "\(name), \(pointer.dropFirst(member.count + 1))"
      case .query(let key) where pointer == "?\(key)": return name
      case .field(let field) where pointer.lowercased() == field.lowercased(): return name
      case _: continue
      }
    }
    return pointer
  }
}
