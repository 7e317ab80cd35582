internal import UsherClient

/// `usher check`.
struct CheckCommand: Command {
  static let name = "check"
  static let summary = "Ask whether a seat of a product is held"
  static let discussion = """
    Prints the seat as JSON, or with --signed as a signed lease that holds without the server; it is not renewed.
    Exit codes: 0 held, 3 refused or not held (the problem is on standard error), 4 nobody can tell now, 1 else.
    """

  private static let signed = Flag("signed", "A signed lease in place of JSON")
  private static let out = Option<String>("out", "FILE", required: false, "Where the signed lease is written")
  static let arguments: [any Argument] = SeatArguments.arguments + [signed, out]

  private let seat: SeatArguments
  private let isSigned: Bool
  private let out: String?

  init(_ given: GivenArguments) throws(UsageError) {
    seat = try SeatArguments(given)
    isSigned = given.isGiven(Self.signed)
    out = try given.optional(Self.out)
  }

  func run(_ terminal: Terminal) async throws(CommandFailure) -> ExitCode {
    try await seat.perform(terminal) { client, product throws(ClientError) in
      guard isSigned || out != nil else { return try await client.check(product).json }
      return try LeaseFile.keep(try await client.signedSeat(product), in: out)
    }
  }
}
