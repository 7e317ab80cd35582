internal import UsherClient

/// `usher release`.
struct ReleaseCommand: Command {
  static let name = "release"
  static let summary = "Give a seat of a product back"
  static let discussion = """
    Giving back twice is no mistake.
    Exit codes: 0 given back, 3 refused (the problem is on standard error), 4 nobody can tell now, 1 else.
    """

  static let arguments = SeatArguments.arguments

  private let seat: SeatArguments

  init(_ given: GivenArguments) throws(UsageError) {
    seat = try SeatArguments(given)
  }

  func run(_ terminal: Terminal) async throws(CommandFailure) -> ExitCode {
    try await seat.perform(terminal) { client, product throws(ClientError) in
      try await client.release(product)
      return nil
    }
  }
}
