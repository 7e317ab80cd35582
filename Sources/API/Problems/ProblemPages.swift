import HTTP

/// What `type` of a problem leads to: a page for each code, and a list of all, on every surface that people see.
enum ProblemPages {
  static let routes: [Route] = [
    Route(.get, "/problems", on: surfaces, for: .anyone) { _ in page("Problems", list) },
    Route(.get, "/problems/{code}", on: surfaces, for: .anyone) { exchange in
      guard let code = ProblemCode(rawValue: exchange.parameters["code"]) else { throw Problem(.notFound) }
      return page(code.entry.title, body(code))
    },
  ]

  private static let surfaces = Set(Surface.allCases).subtracting([.ops])

  private static func body(_ code: ProblemCode) -> String {
    let entry = code.entry
    return """
      <p class="code"><code>\(code.rawValue)</code> · HTTP \(entry.status)</p>
      <h2>What happened</h2>
      <p>\(escaped(entry.meaning))</p>
      <h2>What to do</h2>
      <p>\(escaped(entry.remedy))</p>
      <p><a href="/problems">All problems</a></p>
      """
  }

  private static let list =
    "<p>What this service answers when it cannot do what it was asked to.</p>\n<table>\n"
    + ProblemCode.allCases.map { code in
      """
      <tr><td>\(code.entry.status)</td><td><a href="/problems/\(code.rawValue)"><code>\(code.rawValue)</code></a></td>\
      <td>\(escaped(code.entry.title))</td></tr>

      """
    }.joined() + "</table>"

  private static func page(_ title: String, _ body: String) -> Response {
    let html = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(escaped(title)) · Usher</title>
      <style>
      :root { color-scheme: light dark }
      body { font: 1rem/1.6 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1.25rem }
      h1 { font-size: 1.6rem; line-height: 1.25 } h2 { font-size: 1.05rem; margin: 1.75rem 0 .25rem }
      p { margin: .25rem 0 1rem } .code { opacity: .75 } code { font: .95em ui-monospace, monospace }
      table { border-collapse: collapse } td { padding: .3rem 1rem .3rem 0; vertical-align: top }
      </style>
      </head>
      <body>
      <h1>\(escaped(title))</h1>
      \(body)
      </body>
      </html>

      """
    return Response(
      200,
      headers: [
        HeaderField(.contentType, "text/html; charset=utf-8"),
        HeaderField("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'"),
      ], body: Array(html.utf8))
  }

  private static func escaped(_ text: String) -> String {
    text.map { character in
      switch character {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case _: String(character)
      }
    }.joined()
  }
}
