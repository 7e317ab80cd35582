/// A time as JSON shows it: `2026-11-30T01:02:03Z` (RFC 3339, UTC, whole seconds).
public struct Timestamp: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// From the year 0 to 9999.
  public let microsecondsSince1970: Int64

  private static let range: ClosedRange<Int64> = -62_167_219_200_000_000...253_402_300_799_999_999

  /// What lies outside the years 0 to 9999 becomes their nearest end.
  public init(microsecondsSince1970 microseconds: Int64) {
    let range = Timestamp.range
    microsecondsSince1970 = min(max(microseconds, range.lowerBound), range.upperBound)
  }

  public static func < (one: Timestamp, other: Timestamp) -> Bool {
    one.microsecondsSince1970 < other.microsecondsSince1970
  }

  /// The time without its fraction of a second.
  public var description: String {
    let text = [UInt8](capacity: 20) { output in append(to: &output) }
    return String(decoding: text, as: UTF8.self)
  }

  /// The 20 characters of `description`.
  func append(to output: inout OutputSpan<UInt8>) {
    let seconds = (microsecondsSince1970 - Timestamp.range.lowerBound) / 1_000_000
    let (days, time) = seconds.quotientAndRemainder(dividingBy: 86_400)
    let date = CivilDate(daysSinceYear0: Int(days))
    output.append(digits: date.year, 4, then: "-")
    output.append(digits: date.month, 2, then: "-")
    output.append(digits: date.day, 2, then: "T")
    output.append(digits: Int(time) / 3600, 2, then: ":")
    output.append(digits: Int(time) / 60 % 60, 2, then: ":")
    output.append(digits: Int(time) % 60, 2, then: "Z")
  }

  /// Reads `date-time` of RFC 3339 §5.6 with any offset. There is no leap second here: the database has none either.
  public init?(_ text: String) {
    var rest = text.utf8[...]
    guard let year = rest.number(4), rest.take("-"), let month = rest.number(2), rest.take("-"),
      let day = rest.number(2), rest.take("T") || rest.take("t"), let hour = rest.number(2), rest.take(":"),
      let minute = rest.number(2), rest.take(":"), let second = rest.number(2),
      hour < 24, minute < 60, second < 60,
      let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    var fraction = 0
    if rest.take(".") {
      let digits = rest.prefix { 0x30...0x39 ~= $0 }
      guard (1...9).contains(digits.count) else { return nil }
      for index in 0..<6 { fraction = fraction * 10 + Int(digits.dropFirst(index).first ?? 0x30) - 0x30 }
      rest = rest.dropFirst(digits.count)
    }
    var offset = 0
    if !rest.take("Z"), !rest.take("z") {
      let sign = rest.take("+") ? 1 : -1
      guard sign == 1 || rest.take("-"), let hours = rest.number(2), rest.take(":"),
        let minutes = rest.number(2),
        hours < 24, minutes < 60
      else { return nil }
      offset = sign * (hours * 60 + minutes) * 60
    }
    let seconds = date.daysSinceYear0 * 86_400 + hour * 3600 + minute * 60 + second - offset
    let microseconds = Timestamp.range.lowerBound + Int64(seconds) * 1_000_000 + Int64(fraction)
    guard rest.isEmpty, Timestamp.range.contains(microseconds) else { return nil }
    microsecondsSince1970 = microseconds
  }
}

extension OutputSpan<UInt8> {
  fileprivate mutating func append(digits number: Int, _ width: Int, then mark: Unicode.Scalar) {
    if width == 4 {
      append(UInt8(ascii: "0") + UInt8(number / 1000))
      append(UInt8(ascii: "0") + UInt8(number / 100 % 10))
    }
    append(UInt8(ascii: "0") + UInt8(number / 10 % 10))
    append(UInt8(ascii: "0") + UInt8(number % 10))
    append(UInt8(ascii: mark))
  }
}

extension Substring.UTF8View {
  fileprivate mutating func take(_ mark: Unicode.Scalar) -> Bool {
    guard first == UInt8(ascii: mark) else { return false }
    removeFirst()
    return true
  }

  fileprivate mutating func number(_ width: Int) -> Int? {
    let digits = prefix(width)
    guard digits.count == width, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    removeFirst(width)
    return digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
  }
}
