/// A word that must be given, told by its place.
struct Operand: Argument {
  let name: String
  let help: String

  init(_ name: String, _ help: String) { (self.name, self.help) = (name, help) }

  var kind: ArgumentKind { .operand }
  var isRequired: Bool { true }
  var fallbackText: String? { nil }
}
