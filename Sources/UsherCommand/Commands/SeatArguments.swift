internal import UsherClient

/// What `claim`, `check` and `release` take.
struct SeatArguments: Sendable {
  private static let identity = Option<String>(
    "identity", "DIR", required: true, "The folder that enroll wrote")
  private static let deviceURL = Option<String>(
    "device-url", "URL", required: false, "Where the server is, instead of what identity.json says")
  private static let product = Operand("PRODUCT", "The product's code")
  static let arguments: [any Argument] = [identity, deviceURL, product]

  let identity: String
  let deviceURL: String?
  let product: String

  init(_ given: GivenArguments) throws(UsageError) {
    identity = try given.value(Self.identity)
    deviceURL = try given.optional(Self.deviceURL)
    product = try given.word(Self.product)
  }

  /// Does something about the seat, and prints the JSON that comes of it.
  func perform(
    _ terminal: Terminal, _ operation: (Client, _ product: String) async throws(ClientError) -> String?
  ) async throws(CommandFailure) -> ExitCode {
    try await ClientOutcome.tell(terminal) { () throws(ClientError) in
      let identity = try IdentityFolder(identity).read()
      return try await operation(Client(identity: identity, server: deviceURL), product)
    }
  }
}
