/// A word without dashes, told by its place.
struct Operand: Argument {
  let name: String
  let help: String
  let isRequired: Bool

  init(_ name: String, _ help: String, isRequired: Bool = true) {
    (self.name, self.help, self.isRequired) = (name, help, isRequired)
  }

  var kind: ArgumentKind { .operand }
  var fallbackText: String? { nil }
}
