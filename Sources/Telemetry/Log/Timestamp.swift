import Glibc

/// A moment as a log line shows it: RFC 3339, UTC, microseconds.
struct Timestamp: CustomStringConvertible {
  let secondsSince1970: Int64
  let microseconds: Int64

  static var now: Timestamp {
    var time = timespec()
    // SAFETY: the clock exists on every Linux; `time` is ours.
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(secondsSince1970: Int64(time.tv_sec), microseconds: Int64(time.tv_nsec) / 1000)
  }

  var description: String {
    let (days, second) = secondsSince1970.quotientAndRemainder(dividingBy: 86_400)
    // Civil date from days, by Howard Hinnant: eras of 400 years that begin in March.
    let shifted = days + 719_468
    let (era, dayOfEra) = shifted.quotientAndRemainder(dividingBy: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    let calendarMonth = month < 10 ? month + 3 : month - 9
    let year = yearOfEra + era * 400 + (calendarMonth <= 2 ? 1 : 0)
    let date = "\(padded(year, 4))-\(padded(calendarMonth, 2))-\(padded(day, 2))"
    let time = "\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
    return "\(date)T\(time).\(padded(microseconds, 6))Z"
  }

  private func padded(_ number: Int64, _ width: Int) -> String {
    let digits = number.description
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
