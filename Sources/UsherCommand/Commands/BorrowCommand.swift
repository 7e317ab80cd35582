internal import UsherClient

/// `usher borrow`.
struct BorrowCommand: Command {
  static let name = "borrow"
  static let summary = "Take a seat along, to be used without the server until a time"
  static let discussion = """
    Prints the signed lease, or writes it to --out (0600 is not needed: without the device's key it is worth nothing).
    usher verify-lease checks it without a network; usher release returns the seat early.
    Exit codes: 0 borrowed, 3 refused (the problem is on standard error), 4 nobody can tell now, 1 else.
    """

  private static let until = Option<Moment>(
    "until", "TIME", required: true, "Until when, such as 2026-12-24T12:00:00Z")
  private static let out = Option<String>("out", "FILE", required: false, "Where the lease is written")
  static let arguments: [any Argument] = SeatArguments.arguments + [until, out]

  private let seat: SeatArguments
  private let until: Moment
  private let out: String?

  init(_ given: GivenArguments) throws(UsageError) {
    seat = try SeatArguments(given)
    until = try given.value(Self.until)
    out = try given.optional(Self.out)
  }

  func run(_ terminal: Terminal) async throws(CommandFailure) -> ExitCode {
    try await seat.perform(terminal) { client, product throws(ClientError) in
      try LeaseFile.keep(try await client.borrow(product, until: until.argument), in: out)
    }
  }
}
