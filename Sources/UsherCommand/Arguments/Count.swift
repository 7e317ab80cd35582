/// A number of things on the command line: one or more.
struct Count: ArgumentValue {
  let number: Int

  init(_ number: Int) { self.number = number }

  init?(argument: String) {
    guard let number = Int(argument), number > 0 else { return nil }
    self.number = number
  }

  static var allowed: String { "a whole number from 1" }
  var argument: String { "\(number)" }
}
