import JSON
import Licensing

extension Shape where Value: Worded {
  /// One of these values, by its word.
  static func one(of first: Value, _ others: Value...) -> Shape {
    let values = [first] + others
    let words = values.map { "\"\($0.word)\"" }.joined(separator: ", ")
    return Shape<String>.string(0...64).parsed(
      placeholder: first, expected: values.count == 1 ? words : "one of \(words)"
    ) { word in
      values.first { $0.word == word }
    }
  }
}

extension Shape<Int32> {
  static func count(_ range: ClosedRange<Int32>) -> Shape {
    Shape<Int64>.integer(Int64(range.lowerBound)...Int64(range.upperBound)).parsed(
      placeholder: range.lowerBound, expected: "in range"
    ) { Int32(exactly: $0) }
  }
}

extension Shape<Instant> {
  static var instant: Shape {
    Shape<Timestamp>.timestamp.parsed(placeholder: Instant(seconds: 0), expected: "a time") {
      Instant(microseconds: $0.microsecondsSince1970)
    }
  }
}

extension Shape<Identifier> {
  /// An id that this service gave out.
  static var identifier: Shape {
    Shape<String>.string(0...256).parsed(
      placeholder: Identifier(high: 0, low: 0), expected: "an id that this service gave out"
    ) { Identifier($0) }
  }
}

extension Shape<[String: String]> {
  /// A string map of at most 4 KB of names and values.
  static var stringMap: Shape { .map(of: .text(0...4096), names: 1...256, bytes: 4096) }
}

extension Shape<Features> {
  static var features: Shape { .map(of: .featureValue, names: 1...128, bytes: 4096) }
}

extension Shape<FeatureValue> {
  fileprivate static var featureValue: Shape {
    Shape<JSONValue>.anything.parsed(
      placeholder: .flag(false), expected: "true, false, a number or a string"
    ) { value in
      switch value {
      case .boolean(let truth): .flag(truth)
      case .integer(let number): .integer(number)
      case .number(let number): .number(number)
      case .string(let text): .text(text)
      case .null, .array, .object: nil
      }
    }
  }
}
