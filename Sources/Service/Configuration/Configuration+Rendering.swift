extension Configuration {
  /// The effective configuration as the text of a file that reads back as the same.
  public func rendered() -> String {
    var root = ConfigurationValue.object([])
    for key in ConfigurationKey.all {
      guard let value = key.render(self) else { continue }
      root.set(value, at: key.path.split(separator: ".").map(String.init)[...])
    }
    return root.rendered() + "\n"
  }
}

extension ConfigurationValue {
  /// JSON, an object's members each on a line; an object within a list stays on one line.
  func rendered(indent: String = "", isInline: Bool = false) -> String {
    let deeper = indent + "  "
    switch self {
    case .null: return "null"
    case .boolean(let value): return value.description
    case .integer(let value): return value.description
    case .number(let value): return value.description
    case .text(let text): return Self.quoted(text)
    case .array(let elements):
      let isFlat = isInline || !elements.contains { if case .object = $0 { true } else { false } }
      let texts = elements.map { $0.rendered(indent: deeper, isInline: true) }
      return isFlat ? "[\(texts.joined(separator: ", "))]" : Self.block("[", texts, "]", indent)
    case .object(let members):
      let texts = members.map {
        "\(Self.quoted($0.key)): \($0.value.rendered(indent: deeper, isInline: isInline))"
      }
      return isInline ? "{\(texts.joined(separator: ", "))}" : Self.block("{", texts, "}", indent)
    }
  }

  private static func block(_ open: String, _ texts: [String], _ close: String, _ indent: String) -> String {
    "\(open)\n" + texts.map { "\(indent)  \($0)" }.joined(separator: ",\n") + "\n\(indent)\(close)"
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += #"\""#
      case "\\": result += #"\\"#
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += #"\u"# + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
