package import Cryptography

extension DER {
  /// A time in seconds since 1970 as RFC 5280 section 4.1.2.5 wants it: UTCTime until 2049, GeneralizedTime after.
  package static func time(_ seconds: Int64) -> [UInt8] {
    let (year, rest) = parts(seconds)
    return (1950..<2050).contains(year)
      ? value(tag: 0x17, Array((two(year % 100) + rest).utf8)) : generalizedTime(seconds)
  }

  /// The same as GeneralizedTime whatever the year, as OCSP has it (RFC 6960 section 4.2.2).
  package static func generalizedTime(_ seconds: Int64) -> [UInt8] {
    let (year, rest) = parts(seconds)
    return value(tag: 0x18, Array((two(year / 100) + two(year % 100) + rest).utf8))
  }

  /// The year, and the rest as both kinds of time write it.
  private static func parts(_ seconds: Int64) -> (year: Int64, rest: String) {
    let (days, second) = seconds.quotientAndRemainder(flooringBy: 86_400)
    let (year, month, day) = civilDate(days)
    let clock = two(second / 3600) + two(second / 60 % 60) + two(second % 60) + "Z"
    return (year, two(month) + two(day) + clock)
  }

  private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// The date that many days after 1970-01-01, in years that begin in March so that the leap day comes last.
  private static func civilDate(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = (days + 719_468).quotientAndRemainder(flooringBy: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }
}

extension Int64 {
  fileprivate func quotientAndRemainder(flooringBy divisor: Int64) -> (Int64, Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
