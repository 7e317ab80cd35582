import Testing

/// A literal piece of HTTP, shown in one line when a test fails.
struct Wire: ExpressibleByStringLiteral, CustomTestStringConvertible, Sendable {
  let text: String

  init(stringLiteral text: String) { self.text = text }

  var testDescription: String { text.debugDescription }
}
