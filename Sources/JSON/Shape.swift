/// What a value must look like, and how it becomes a Swift value.
public struct Shape<Value: Sendable>: Sendable {
  /// What stands in for a bad value until `finish` throws.
  let placeholder: Value
  /// The value, or nil after the reason was added to the findings.
  let read: @Sendable (_ value: JSONValue, _ findings: inout Findings) -> Value?

  init(
    placeholder: Value, _ read: @escaping @Sendable (_ value: JSONValue, _ findings: inout Findings) -> Value?
  ) {
    self.placeholder = placeholder
    self.read = read
  }

  /// A shape of one value; `expected` completes the sentence "must be …".
  init(
    placeholder: Value, expected: @escaping @autoclosure @Sendable () -> String,
    _ read: @escaping @Sendable (JSONValue) -> Value?
  ) {
    self.init(placeholder: placeholder) { value, findings in
      if let result = read(value) { return result }
      findings.add("must be \(expected())")
      return nil
    }
  }

  /// A value of a type of its own, which the text or number must be able to become.
  ///
  /// - Parameters:
  ///   - placeholder: any value of the type; it is never seen.
  ///   - expected: completes the sentence "must be …".
  public func parsed<Result: Sendable>(
    placeholder: Result, expected: String, _ parse: @escaping @Sendable (Value) -> Result?
  ) -> Shape<Result> {
    Shape<Result>(placeholder: placeholder) { value, findings in
      guard let read = self.read(value, &findings) else { return nil }
      if let result = parse(read) { return result }
      findings.add("must be \(expected)")
      return nil
    }
  }
}

extension Shape<String> {
  /// One line of text, its length in characters (Unicode scalars), without control characters.
  public static func string(_ length: ClosedRange<Int> = 1...256) -> Shape {
    Shape(
      placeholder: "",
      expected: "a string of \(length.lowerBound) to \(length.upperBound) characters on one line"
    ) {
      guard case .string(let text) = $0, length.contains(text.unicodeScalars.count),
        !text.unicodeScalars.contains(where: \.isControl)
      else { return nil }
      return text
    }
  }

  /// Text of several lines, such as PEM: control characters are allowed, but not NUL.
  public static func text(_ length: ClosedRange<Int>) -> Shape {
    Shape(placeholder: "", expected: "a text of \(length.lowerBound) to \(length.upperBound) characters") {
      guard case .string(let text) = $0, length.contains(text.unicodeScalars.count), !text.utf8.contains(0)
      else { return nil }
      return text
    }
  }

  /// A string that also passes a test; `expected` completes the sentence "must be …".
  public static func string(
    _ length: ClosedRange<Int> = 1...256, expected: String, where test: @escaping @Sendable (String) -> Bool
  ) -> Shape {
    Shape(placeholder: "", expected: expected) {
      guard case .string(let text) = $0, length.contains(text.unicodeScalars.count), test(text) else {
        return nil
      }
      return text
    }
  }
}

extension Shape<Int64> {
  public static func integer(_ range: ClosedRange<Int64>) -> Shape {
    Shape(
      placeholder: range.lowerBound,
      expected: "a whole number from \(range.lowerBound) to \(range.upperBound)"
    ) {
      guard let number = $0.wholeNumber, range.contains(number) else { return nil }
      return number
    }
  }
}

extension Shape<Bool> {
  public static var boolean: Shape {
    Shape(placeholder: false, expected: "true or false") {
      guard case .boolean(let truth) = $0 else { return nil }
      return truth
    }
  }
}

extension Shape<Timestamp> {
  public static var timestamp: Shape {
    Shape(
      placeholder: Timestamp(microsecondsSince1970: 0),
      expected: "a time of RFC 3339 such as 2026-11-30T01:02:03Z"
    ) {
      guard case .string(let text) = $0 else { return nil }
      return Timestamp(text)
    }
  }
}

extension Shape<JSONValue> {
  /// Anything, as it is; only NUL is refused, which PostgreSQL cannot keep.
  public static var anything: Shape {
    Shape(placeholder: .null, expected: "without U+0000 in its strings") { $0.hasNull ? nil : $0 }
  }
}

extension Shape where Value: CaseIterable & RawRepresentable<String> {
  /// One of the words of an enumeration.
  ///
  /// - Parameter placeholder: any case.
  public static func choice(_ placeholder: Value) -> Shape {
    let words = Value.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    return Shape(placeholder: placeholder, expected: "one of \(words)") {
      guard case .string(let word) = $0 else { return nil }
      return Value(rawValue: word)
    }
  }
}

extension JSONValue {
  /// A whole number, however it is written: `60`, `60.0` and `6e1` are the same number, as far as a `Double` is exact.
  fileprivate var wholeNumber: Int64? {
    switch self {
    case .integer(let number): number
    case .number(let number) where number.magnitude <= 0x1p53: Int64(exactly: number)
    case .null, .boolean, .number, .string, .array, .object: nil
    }
  }

  fileprivate var hasNull: Bool {
    switch self {
    case .null, .boolean, .integer, .number: false
    case .string(let text): text.utf8.contains(0)
    case .array(let elements): elements.contains(where: \.hasNull)
    case .object(let members): members.contains { $0.name.utf8.contains(0) || $0.value.hasNull }
    }
  }
}

extension Unicode.Scalar {
  /// C0, DEL and C1.
  fileprivate var isControl: Bool { value < 0x20 || 0x7f...0x9f ~= value }
}
