internal import JSON

/// What the words of a parameter are, and how they become a value of the API.
enum ParameterForm: Sendable, Equatable {
  case text
  case number
  /// Seconds, or with a unit: `90`, `15m`, `8h`, `30d`.
  case duration
  case time
  case truth
  case choice([String])
  /// Without a value of its own; this one is sent.
  case flag(String)
  /// `NAME=VALUE`, several times: texts.
  case pairs
  /// `NAME` or `NAME=VALUE`, several times: true, numbers and texts.
  case features
  /// Several texts.
  case texts
  /// A file whose text is meant, such as PEM.
  case file
  case files
  /// JSON, or `@FILE` with it.
  case json

  var isRepeatable: Bool {
    switch self {
    case .pairs, .features, .texts, .files: true
    case _: false
    }
  }

  var placeholder: String {
    switch self {
    case .text, .texts, .flag: "TEXT"
    case .number: "N"
    case .duration: "TIME"
    case .time: "WHEN"
    case .truth: "yes|no"
    case .choice(let words): words.count < 4 ? words.joined(separator: "|") : "WORD"
    case .pairs: "NAME=VALUE"
    case .features: "NAME[=VALUE]"
    case .file, .files: "FILE"
    case .json: "JSON"
    }
  }

  /// What is allowed, for who has given something else.
  private var allowed: String {
    switch self {
    case .number: "a whole number"
    case .duration: "seconds, or with a unit as in 15m, 8h, 30d"
    case .time: "a time as in 2026-11-30T12:00:00Z, or a day as in 2026-11-30"
    case .truth: "yes, no"
    case .choice(let words): words.joined(separator: ", ")
    case .pairs: "NAME=VALUE"
    case .json: "JSON, or @ and a file with it"
    case _: "a text that is not empty"
    }
  }

  /// The value that one or more words stand for.
  func value(of words: [String], for option: String) throws -> JSONValue {
    switch self {
    case .pairs, .features:
      return .object(try words.map { word in try member(word, option) })
    case .texts: return .array(words.map(JSONValue.string))
    case .files: return .array(try words.map { .string(try text(of: $0)) })
    case .file: return .string(try text(of: words[0]))
    case .json:
      let bytes =
        words[0].hasPrefix("@")
        ? try InputFile.read(String(words[0].dropFirst())) : Array(words[0].utf8)
      guard let value = try? JSONValue(parsing: bytes) else { throw bad(words[0], option) }
      return value
    case .text, .number, .duration, .time, .truth, .choice, .flag:
      guard let value = scalar(words[0]) else { throw bad(words[0], option) }
      return value
    }
  }

  private func bad(_ word: String, _ option: String) -> UsageError {
    .badValue(word, option: option, allowed: allowed)
  }

  private func scalar(_ word: String) -> JSONValue? {
    switch self {
    case .flag(let value): return .string(value)
    case .number: return Int64(word).map(JSONValue.integer)
    case .duration:
      let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
      let unit = word.last.flatMap { units[$0] }
      guard let count = Int64(unit == nil ? word : String(word.dropLast())), count >= 0 else { return nil }
      let (seconds, overflows) = count.multipliedReportingOverflow(by: unit ?? 1)
      return overflows ? nil : .integer(seconds)
    case .time:
      let time = word.contains("T") ? word : word + "T00:00:00Z"
      return Timestamp(time).map { _ in .string(time) }
    case .truth: return ["yes": .boolean(true), "no": .boolean(false)][word]
    case .choice(let words): return words.contains(word) ? .string(word) : nil
    case _: return word.isEmpty ? nil : .string(word)
    }
  }

  /// `NAME=VALUE`; of features a value may be absent, which is true, or a number.
  private func member(_ word: String, _ option: String) throws -> JSONMember {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard !parts[0].isEmpty, parts.count == 2 || self == .features else { throw bad(word, option) }
    guard parts.count == 2 else { return JSONMember(parts[0], .boolean(true)) }
    if self == .features, let value = try? JSONValue(parsing: Array(parts[1].utf8)) {
      switch value {
      case .integer, .number, .boolean: return JSONMember(parts[0], value)
      case _: break
      }
    }
    return JSONMember(parts[0], .string(parts[1]))
  }

  private func text(of file: String) throws -> String {
    String(decoding: try InputFile.read(file, limit: 1024 * 1024), as: UTF8.self)
  }
}
