/// The texts of `--help`.
enum Help {
  static var overview: String {
    """
    Usher: a license server that knows devices by their certificates.

    Usage: usher COMMAND [OPTIONS]

    \(table(Usher.commands.map { ($0.name, $0.summary) }))

    For admins, after usher login: usher RESOURCE VERB [OPTIONS]

    \(table(Resource.all.map { ($0.name, $0.summary) }))

    usher COMMAND --help says more, usher --version which this is.
    """
  }

  static func text(for command: any Command.Type) -> String {
    text(command.name, command.arguments, command.discussion)
  }

  static func text(for resource: Resource) -> String {
    """
    Usage: usher \(resource.name) VERB [OPTIONS]

    \(resource.summary).

    \(table(resource.verbs.map { ($0.name, $0.summary) }))

    usher \(resource.name) VERB --help says more.
    """
  }

  static func text(_ name: String, _ arguments: [any Argument], _ discussion: String) -> String {
    let words = arguments.map { argument in
      let usage = argument.usage + (argument.isRepeatable ? "…" : "")
      return argument.isRequired ? usage : "[\(usage)]"
    }
    let rows = arguments.map { argument in
      let fallback = argument.fallbackText.map { " (\($0) unless given)" } ?? ""
      // Those that are not in the usage already.
      let isNew = !argument.usage.contains(argument.choices.first ?? argument.usage)
      let choices = isNew ? ": \(argument.choices.joined(separator: ", "))" : ""
      return (argument.usage, argument.help + choices + fallback)
    }
    return """
      Usage: usher \(lines([name] + words))

      \(discussion)

      \(table(rows + [("--help", "Says this")]))
      """
  }

  /// Words on lines of at most 80 columns.
  private static func lines(_ words: [String]) -> String {
    var lines = [""]
    for word in words {
      let start = lines.count == 1 ? "Usage: usher ".count : 0
      if start + lines[lines.count - 1].count + word.count > columns - 1 { lines.append("     ") }
      lines[lines.count - 1] += lines[lines.count - 1].isEmpty ? word : " " + word
    }
    return lines.joined(separator: "\n")
  }

  private static let columns = 80

  /// Names beside their texts; a long name stands above its text.
  private static func table(_ rows: [(name: String, text: String)]) -> String {
    let width = min(24, rows.map(\.name.count).max() ?? 0)
    return rows.map { name, text in
      let margin = String(repeating: " ", count: width + 4)
      let lines = wrapped(text, to: columns - margin.count).map { margin + $0 }
      let start = "  \(name)"
      guard start.count <= margin.count - 2 else { return ([start] + lines).joined(separator: "\n") }
      return start + lines.joined(separator: "\n").dropFirst(start.count)
    }.joined(separator: "\n")
  }

  private static func wrapped(_ text: String, to width: Int) -> [String] {
    var lines = [""]
    for word in text.split(separator: " ") {
      let last = lines.count - 1
      if lines[last].count + word.count >= width, !lines[last].isEmpty {
        lines.append(String(word))
      } else {
        lines[last] += lines[last].isEmpty ? word : " " + word
      }
    }
    return lines
  }
}
