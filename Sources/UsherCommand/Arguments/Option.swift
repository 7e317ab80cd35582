/// `--name VALUE`.
struct Option<Value: ArgumentValue>: Argument {
  let name: String
  let placeholder: String
  let help: String
  let fallback: Value?
  let isRequired: Bool

  /// One that has a value even if it is not given.
  init(_ name: String, _ placeholder: String, default fallback: Value, _ help: String) {
    (self.name, self.placeholder, self.help) = (name, placeholder, help)
    (self.fallback, self.isRequired) = (fallback, false)
  }

  init(_ name: String, _ placeholder: String, required: Bool, _ help: String) {
    (self.name, self.placeholder, self.help) = (name, placeholder, help)
    (self.fallback, self.isRequired) = (nil, required)
  }

  var kind: ArgumentKind { .option(value: placeholder) }
  var fallbackText: String? { fallback?.argument }
}
