/// The texts of `--help`.
enum Help {
  static var overview: String {
    """
    Usher: a license server that knows devices by their certificates.

    Usage: usher COMMAND [OPTIONS]

    \(table(Usher.commands.map { ($0.name, $0.summary) }))

    usher COMMAND --help says more, usher --version which this is.
    """
  }

  static func text<C: Command>(for command: C.Type) -> String {
    let words = C.arguments.map { argument in
      argument.isRequired ? argument.usage : "[\(argument.usage)]"
    }
    let rows = C.arguments.map { argument in
      let fallback = argument.fallbackText.map { " (\($0) unless given)" } ?? ""
      return (argument.usage, argument.help + fallback)
    }
    return """
      Usage: usher \(([C.name] + words).joined(separator: " "))

      \(C.discussion)

      \(table(rows + [("--help", "Says this")]))
      """
  }

  private static func table(_ rows: [(name: String, text: String)]) -> String {
    let width = rows.map(\.name.count).max() ?? 0
    return rows.map { name, text in
      "  \(name)\(String(repeating: " ", count: width - name.count + 2))\(text)"
    }.joined(separator: "\n")
  }
}
