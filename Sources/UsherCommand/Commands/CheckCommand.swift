internal import UsherClient

/// `usher check`.
struct CheckCommand: Command {
  static let name = "check"
  static let summary = "Ask whether a seat of a product is held"
  static let discussion = """
    Prints the seat as JSON; it is not renewed.
    Exit codes: 0 held, 3 refused or not held (the problem is on standard error), 4 nobody can tell now, 1 else.
    """

  static let arguments = SeatArguments.arguments

  private let seat: SeatArguments

  init(_ given: GivenArguments) throws(UsageError) {
    seat = try SeatArguments(given)
  }

  func run(_ terminal: Terminal) async throws(CommandFailure) -> ExitCode {
    try await seat.perform(terminal) { client, product throws(ClientError) in
      try await client.check(product).json
    }
  }
}
