/// `--name`.
struct Flag: Argument {
  let name: String
  let help: String

  init(_ name: String, _ help: String) { (self.name, self.help) = (name, help) }

  var kind: ArgumentKind { .flag }
  var isRequired: Bool { false }
  var fallbackText: String? { nil }
}
