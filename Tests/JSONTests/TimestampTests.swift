import FoundationEssentials
import JSON
import Testing

struct TimestampTests {
  static let times: [(Int64, String)] = [
    (0, "1970-01-01T00:00:00Z"), (1_796_000_523_000_000, "2026-11-30T01:02:03Z"),
    (999_999, "1970-01-01T00:00:00Z"),
    (-1, "1969-12-31T23:59:59Z"), (951_782_400_000_000, "2000-02-29T00:00:00Z"),
    (4_107_542_399_000_000, "2100-02-28T23:59:59Z"), (253_402_300_799_999_999, "9999-12-31T23:59:59Z"),
    (-62_167_219_200_000_000, "0000-01-01T00:00:00Z"), (.max, "9999-12-31T23:59:59Z"),
    (.min, "0000-01-01T00:00:00Z"),
  ]

  @Test(arguments: times) func `A time is shown in UTC and whole seconds`(
    _ microseconds: Int64, _ text: String
  ) {
    #expect(Timestamp(microsecondsSince1970: microseconds).description == text)
  }

  static let texts: [(String, Int64)] = [
    ("1970-01-01T00:00:00Z", 0), ("2026-11-30T01:02:03Z", 1_796_000_523_000_000),
    ("2026-11-30t01:02:03z", 1_796_000_523_000_000), ("2026-11-30T02:32:03+01:30", 1_796_000_523_000_000),
    ("2026-11-29T20:02:03-05:00", 1_796_000_523_000_000), ("1970-01-01T00:00:00-00:00", 0),
    ("1970-01-01T00:00:00.5Z", 500_000), ("1970-01-01T00:00:00.000001Z", 1),
    ("1970-01-01T00:00:00.123456789Z", 123_456),
    ("1969-12-31T23:59:59.999999Z", -1), ("2000-02-29T00:00:00Z", 951_782_400_000_000),
    ("0000-01-01T00:00:00Z", -62_167_219_200_000_000),
    ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
  ]

  @Test(arguments: texts) func `A time is read with any offset`(_ text: String, _ microseconds: Int64) {
    #expect(Timestamp(text)?.microsecondsSince1970 == microseconds)
  }

  @Test(arguments: [
    "", "now", "2026-11-30", "2026-11-30T01:02:03", "2026-11-30 01:02:03Z", "2026-11-30T01:02Z",
    "2026-11-30T01:02:03 Z",
    " 2026-11-30T01:02:03Z", "2026-11-30T01:02:03Z ", "2026-11-30T01:02:03ZZ", "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z",
    "2026-01-00T00:00:00Z", "2026-04-31T00:00:00Z", "2026-02-29T00:00:00Z", "2100-02-29T00:00:00Z",
    "2026-11-30T24:00:00Z",
    "2026-11-30T01:60:00Z", "2026-11-30T01:02:60Z", "2026-11-30T01:02:03.Z",
    "2026-11-30T01:02:03.1234567890Z",
    "2026-11-30T01:02:03,5Z", "2026-11-30T01:02:03+24:00", "2026-11-30T01:02:03+01:60",
    "2026-11-30T01:02:03+0100",
    "2026-11-30T01:02:03+01", "2026-11-30T01:02:03\u{2212}01:00", "26-11-30T01:02:03Z",
    "+026-11-30T01:02:03Z",
    "12026-11-30T01:02:03Z", "2026-1-30T01:02:03Z", "2026-11-30T1:02:03Z", "0000-01-01T00:00:00+00:01",
    "9999-12-31T23:59:59-00:01", "\u{0662}026-11-30T01:02:03Z",
  ]) func `Nonsense is no time`(_ text: String) {
    #expect(Timestamp(text) == nil)
  }

  @Test func `A day is read as it is shown, and shown as Foundation shows it`() {
    let wrong = stride(from: Int64(-25_567), through: 400_000, by: 47).filter { day in
      let time = Timestamp(microsecondsSince1970: day * 86_400_000_000 + 1)
      let theirs = day % 7 == 0 ? Date(timeIntervalSince1970: Double(day) * 86_400).formatted(.iso8601) : nil
      return Timestamp(time.description)?.microsecondsSince1970 != day * 86_400_000_000
        || theirs ?? time.description != time.description
    }
    #expect(wrong.isEmpty)
  }

  @Test func `Times are ordered`() {
    #expect(Timestamp(microsecondsSince1970: 1) < Timestamp(microsecondsSince1970: 2))
  }
}
