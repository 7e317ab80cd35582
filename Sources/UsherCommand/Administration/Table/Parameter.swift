internal import JSON
internal import UsherClient

/// Something that a verb takes: a word of the command line, and where its value goes in the request.
struct Parameter: Argument {
  enum Place: Sendable, Equatable {
    /// `{name}` of the path.
    case path(String)
    case query(String)
    /// A member of the body, by its pointer: `certificates/validitySeconds`.
    case member(String)
    case field(String)
    /// The whole body, of this media type.
    case body(String)
    /// Nothing of the request: it says how the command goes about it.
    case command
  }

  let name: String
  let place: Place
  let form: ParameterForm
  let kind: ArgumentKind
  let help: String
  var isRequired = false
  /// Whether the word `none` takes the value away.
  var isClearable = false

  /// How people name it.
  var word: String { kind == .operand ? name : "--\(name)" }

  var fallbackText: String? { nil }
  var isRepeatable: Bool { form.isRepeatable }
  var choices: [String] {
    switch form {
    case .choice(let words): words + (isClearable ? ["none"] : [])
    case .truth: ["yes", "no"]
    case _: []
    }
  }
}

/// How the table of commands writes them.
extension Parameter {
  /// An option that is a member of the body.
  static func member(
    _ name: String, _ pointer: String, _ form: ParameterForm = .text, _ help: String, required: Bool = false,
    clearable: Bool = false
  ) -> Parameter {
    Parameter(
      name: name, place: .member(pointer), form: form, kind: .option(value: form.placeholder), help: help,
      isRequired: required, isClearable: clearable)
  }

  /// A word without dashes that is a member of the body.
  static func operand(_ name: String, _ pointer: String, _ help: String) -> Parameter {
    Parameter(
      name: name, place: .member(pointer), form: .text, kind: .operand, help: help, isRequired: true)
  }

  /// A file that is the whole body.
  static func file(_ mediaType: String, _ help: String) -> Parameter {
    Parameter(
      name: "FILE", place: .body(mediaType), form: .file, kind: .operand, help: help, isRequired: true)
  }

  static func query(
    _ name: String, _ key: String, _ form: ParameterForm = .text, _ help: String, required: Bool = false
  ) -> Parameter {
    let kind =
      if case .flag = form { ArgumentKind.flag } else { ArgumentKind.option(value: form.placeholder) }
    return Parameter(
      name: name, place: .query(key), form: form, kind: kind, help: help, isRequired: required)
  }

  static let externalID = member("external-id", "externalId", help: "The vendor's own id")
  static let metadata = member("metadata", "metadata", .pairs, "Whatever the vendor's billing wants to know")
  static let newExternalID = member(
    "external-id", "externalId", .text, "The vendor's own id, or none", clearable: true)

  private static func member(_ name: String, _ pointer: String, help: String) -> Parameter {
    member(name, pointer, .text, help)
  }

  static let ifMatch = Parameter(
    name: "if-match", place: .field("If-Match"), form: .text, kind: .option(value: "ETAG"),
    help: "Only if it is still what --print etag said")
  static let idempotencyKey = Parameter(
    name: "idempotency-key", place: .field("Idempotency-Key"), form: .text, kind: .option(value: "KEY"),
    help: "Names this request, which then has one effect in 24 hours")
}
