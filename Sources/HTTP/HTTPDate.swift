/// A time as header fields show it, `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7).
public struct HTTPDate: Sendable, Hashable, CustomStringConvertible {
  let bytes: [UInt8]
  /// How an answer with the status 200 begins at this time, as nearly all do.
  let opening: [UInt8]

  /// - Parameter seconds: since 1970, from the year 0 to 9999.
  public init(secondsSince1970 seconds: Int64) {
    let (days, time) = seconds.flooredDivision(by: 86_400)
    // Days to civil date in the proleptic Gregorian calendar, by eras of 400 years that begin in March.
    let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    let weekday = (days + 4).flooredDivision(by: 7).remainder
    let names = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    func padded(_ number: Int64, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
    let text =
      "\(names[Int(weekday)]), \(padded(day, 2)) \(months[Int(month) - 1]) \(padded(year, 4)) "
      + "\(padded(time / 3600, 2)):\(padded(time / 60 % 60, 2)):\(padded(time % 60, 2)) GMT"
    bytes = Array(text.utf8)
    opening = Array("HTTP/1.1 200 OK\r\nDate: ".utf8) + bytes
  }

  public var description: String { String(decoding: bytes, as: UTF8.self) }
}

extension Int64 {
  fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
