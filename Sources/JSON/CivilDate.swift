/// A day of the proleptic Gregorian calendar, in the years 0 to 9999.
struct CivilDate {
  let year: Int
  let month: Int
  let day: Int

  init?(year: Int, month: Int, day: Int) {
    guard 0...9999 ~= year, 1...12 ~= month, day >= 1 else { return nil }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let length = month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    guard day <= length else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  private static let daysInEra = 146_097  // 400 years
  private static let daysToMarch = 60  // of the year 0, a leap year

  /// Counts by years that begin in March, so that a leap day is the last of its year, and one era ahead, so that
  /// nothing is negative.
  init(daysSinceYear0 days: Int) {
    let (era, day) = (days - CivilDate.daysToMarch + CivilDate.daysInEra)
      .quotientAndRemainder(dividingBy: CivilDate.daysInEra)
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
    let dayOfYear = day - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    self.year = (era - 1) * 400 + year + (month < 10 ? 0 : 1)
    self.month = month < 10 ? month + 3 : month - 9
    self.day = dayOfYear - (153 * month + 2) / 5 + 1
  }

  var daysSinceYear0: Int {
    let year = month > 2 ? self.year + 400 : self.year + 399
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return 365 * year + year / 4 - year / 100 + year / 400 + dayOfYear - CivilDate.daysInEra
      + CivilDate.daysToMarch
  }
}
