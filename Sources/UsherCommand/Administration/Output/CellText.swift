internal import JSON

/// A value as people read it.
enum CellText {
  static func text(_ value: JSONValue?) -> String {
    switch value {
    case nil, .null: "-"
    case .boolean(let truth): truth ? "yes" : "no"
    case .integer(let number): "\(number)"
    case .number(let number): "\(number)"
    case .string(let text): text.isEmpty ? "-" : plain(text)
    case .array(let elements): elements.isEmpty ? "-" : elements.map(text).joined(separator: ", ")
    case .object(let members):
      members.isEmpty ? "-" : members.map { "\(plain($0.name))=\(text($0.value))" }.joined(separator: ", ")
    }
  }

  /// A value as programs read it: texts as they are, nothing for null, all else as JSON.
  static func raw(_ value: JSONValue) -> String {
    switch value {
    case .null: ""
    case .string(let text): text
    case _: value.rendered
    }
  }

  /// Without what a terminal would obey: others have chosen these texts.
  static func plain(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { result.append(isControl(scalar) ? "\u{fffd}" : scalar) }
    return String(result)
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || 0x7f...0x9f ~= scalar.value
      // What turns the direction of writing.
      || 0x202a...0x202e ~= scalar.value || 0x2066...0x2069 ~= scalar.value
  }
}
