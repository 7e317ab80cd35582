/// A word without dashes, told by its place.
struct Operand: Argument {
  let name: String
  let help: String
  let isRequired: Bool
  let isRepeatable: Bool

  init(_ name: String, _ help: String, isRequired: Bool = true, isRepeatable: Bool = false) {
    (self.name, self.help) = (name, help)
    (self.isRequired, self.isRepeatable) = (isRequired, isRepeatable)
  }

  var kind: ArgumentKind { .operand }
  var fallbackText: String? { nil }
}
