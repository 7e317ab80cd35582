internal import UsherClient

/// `usher claim`.
struct ClaimCommand: Command {
  static let name = "claim"
  static let summary = "Claim a seat of a product, or renew the one held"
  static let discussion = """
    Prints the seat as JSON.
    Exit codes: 0 held, 3 refused (the problem is on standard error), 4 nobody can tell now, 1 else.
    """

  static let arguments = SeatArguments.arguments

  private let seat: SeatArguments

  init(_ given: GivenArguments) throws(UsageError) {
    seat = try SeatArguments(given)
  }

  func run(_ terminal: Terminal) async throws(CommandFailure) -> ExitCode {
    try await seat.perform(terminal) { client, product throws(ClientError) in
      try await client.claim(product).json
    }
  }
}
