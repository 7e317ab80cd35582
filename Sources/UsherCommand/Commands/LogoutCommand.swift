internal import JSON
internal import UsherClient

/// `usher logout`.
struct LogoutCommand: Command {
  static let name = "logout"
  static let summary = "Remove a profile and the token in it"
  static let discussion = """
    Removes the profile's file. The token itself lives on, unless --revoke ends it
    first.
    """

  private static let revoke = Flag("revoke", "End the token on the server too")
  static let arguments: [any Argument] = [revoke, ProfileFile.option]

  private let revokes: Bool
  private let profile: String?

  init(_ given: GivenArguments) throws(UsageError) {
    revokes = given.isGiven(Self.revoke)
    profile = try given.optional(ProfileFile.option)
  }

  func run(_ terminal: Terminal) async throws(CommandFailure) -> ExitCode {
    let file = try ProfileFile(profile, terminal.environment)
    let profile = try file.read()
    if revokes {
      let code = try await ClientOutcome.tell(terminal, refusal: ProblemText.text) { () throws(ClientError) in
        let administrator = try profile.administrator()
        guard case .string(let id) = try await administrator.call(.get, "/v1/token")["id"] else {
          throw .cannotTell(reason: "the server does not say which token it is", retryAfter: nil)
        }
        let place = profile.organization.map { "/v1/organizations/\(Administrator.segment($0))" } ?? "/v1"
        try await administrator.call(.delete, "\(place)/tokens/\(Administrator.segment(id))")
        return nil
      }
      guard code == .success else { return code }
    }
    try file.remove()
    return .success
  }
}
