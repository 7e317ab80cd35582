internal import UsherClient

/// `usher watch`.
struct WatchCommand: Command {
  static let name = "watch"
  static let summary = "Print a seat whenever it changes, until it is lost"
  static let discussion = """
    Prints the seat as one line of JSON at the start and at each change that is not a renewal, as soon as it happens. It does
    not renew the seat.
    Exit codes: 0 the time is over, 3 the seat or the right is lost (the problem is on standard error), 4 nobody can
    tell now, 1 else.
    """

  private static let period = Option<WaitingTime>(
    "for", "SECONDS", required: false, "How long to watch (without end unless given)")
  static let arguments: [any Argument] = SeatArguments.arguments + [period]

  private let seat: SeatArguments
  private let period: WaitingTime?

  init(_ given: GivenArguments) throws(UsageError) {
    seat = try SeatArguments(given)
    period = try given.optional(Self.period)
  }

  func run(_ terminal: Terminal) async throws(CommandFailure) -> ExitCode {
    try await seat.perform(terminal) { client, product throws(ClientError) in
      let end = period.map { ContinuousClock.now.advanced(by: .seconds($0.seconds)) }
      var known = try await client.check(product)
      terminal.print(known.json)
      while true {
        let left = end.map { Int(ContinuousClock.now.duration(to: $0) / .seconds(1)) } ?? 50
        if left <= 0 { return nil }
        guard let news = try await client.watch(product, after: known.revision, seconds: min(left, 50)) else {
          continue
        }
        known = news
        terminal.print(known.json)
      }
    }
  }
}

/// Whole seconds on the command line.
private struct WaitingTime: ArgumentValue {
  let seconds: Int
  var argument: String { "\(seconds)" }

  init?(argument: String) {
    guard let seconds = Int(argument), seconds > 0 else { return nil }
    self.seconds = seconds
  }

  static var allowed: String { "a whole number of seconds" }
}
