internal import JSON

/// A moment on the command line.
struct Moment: ArgumentValue {
  let seconds: Int64
  let argument: String

  init?(argument: String) {
    guard let time = Timestamp(argument) else { return nil }
    self.argument = argument
    seconds = time.secondsSince1970
  }

  static var allowed: String { "a time as in 2026-11-30T12:00:00Z" }
}
