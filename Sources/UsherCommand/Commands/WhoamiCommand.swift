internal import JSON
internal import UsherClient

/// `usher whoami`.
struct WhoamiCommand: Command {
  static let name = "whoami"
  static let summary = "Say whose token a profile holds, and where"
  static let discussion = """
    Asks the server. Exit codes: 0 it is good, 3 it is not, 4 nobody can tell now, 1 else.
    """

  private static let asJSON = Flag("json", "Print what the API answers")
  static let arguments: [any Argument] = [asJSON, ProfileFile.option]

  private let asJSON: Bool
  private let profile: String?

  init(_ given: GivenArguments) throws(UsageError) {
    asJSON = given.isGiven(Self.asJSON)
    profile = try given.optional(ProfileFile.option)
  }

  func run(_ terminal: Terminal) async throws(CommandFailure) -> ExitCode {
    let file = try ProfileFile(profile, terminal.environment)
    let profile = try file.read()
    return try await ClientOutcome.tell(terminal, refusal: asJSON ? \.json : ProblemText.text) {
      () throws(ClientError) in
      let answer = try await profile.administrator().send(.get, "/v1/token")
      if asJSON { return String(decoding: answer.body, as: UTF8.self) }
      return "\(TokenOwner(try answer.document())) at \(profile.server) (\(file.path))"
    }
  }
}
