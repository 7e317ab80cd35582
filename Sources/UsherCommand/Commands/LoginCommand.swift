internal import Cryptography
internal import JSON
internal import UsherClient

/// `usher login`: a profile for the commands of admins.
struct LoginCommand: Command {
  static let name = "login"
  static let summary = "Keep a server, its CA and an admin's token as a profile"
  static let discussion = """
    Asks the server whose token it is, and keeps it in a file that only you can read:
    $XDG_CONFIG_HOME/usher/default.json, or another by --profile or USHER_PROFILE.
    --setup turns the setup token that an organization's first admin was given into a
    token; it works once, and the same again while the answer was lost. What is not
    given stays as the profile has it.
    Exit codes: 0 logged in, 3 refused, 4 nobody can tell now, 1 else.
    """

  private static let server = Option<String>(
    "server", "URL", required: false, "Where the server's admin interface is: https://host[:port]")
  private static let ca = Option<String>(
    "ca", "FILE", required: false,
    "The CA of the server's certificate, PEM (those of the system unless given)")
  private static let tokenFile = Option<String>(
    "token-file", "FILE", required: false, "A file with the API token, - for standard input")
  private static let setup = Option<String>(
    "setup", "TOKEN", required: false, "A setup token; others on this machine can see it until it is used")
  private static let setupFile = Option<String>(
    "setup-file", "FILE", required: false, "A file with the setup token, - for standard input")
  static let arguments: [any Argument] = [server, ca, tokenFile, setup, setupFile, ProfileFile.option]

  private let server, ca, tokenFile, setup, setupFile, profile: String?

  init(_ given: GivenArguments) throws(UsageError) {
    server = try given.optional(Self.server)
    ca = try given.optional(Self.ca)
    tokenFile = try given.optional(Self.tokenFile)
    setup = try given.optional(Self.setup)
    setupFile = try given.optional(Self.setupFile)
    profile = try given.optional(ProfileFile.option)
    guard [tokenFile, setup, setupFile].count(where: { $0 != nil }) == 1 else {
      throw .missing("one of --token-file, --setup and --setup-file")
    }
  }

  func run(_ terminal: Terminal) async throws(CommandFailure) -> ExitCode {
    let file = try ProfileFile(profile, terminal.environment)
    let known = file.exists ? try file.read() : nil
    guard let server = server ?? known?.server else { throw CommandFailure("--server must be given") }
    // A new server has nothing to do with the CA of the old one.
    var authorityPEM = self.server == nil || self.server == known?.server ? known?.authorityPEM : nil
    if let ca { authorityPEM = String(decoding: try InputFile.read(ca, limit: 1024 * 1024), as: UTF8.self) }
    var setup = self.setup
    if let setupFile { setup = try Self.word(setupFile) }
    var given: String?
    if let tokenFile { given = try Self.word(tokenFile) }
    return try await ClientOutcome.tell(terminal, refusal: ProblemText.text) { () throws(ClientError) in
      let token: String
      if let given {
        token = given
      } else {
        token = try await Self.setUp(setup ?? "", server, authorityPEM)
      }
      var profile = Profile(server: server, authorityPEM: authorityPEM, token: token)
      // A setup token cannot be used again: what it gave is kept before anything else can go wrong.
      if given == nil { try Self.keep(profile, file) }
      let owner = try await profile.administrator().call(.get, "/v1/token")
      if case .string(let slug) = owner["organization"] { profile.organization = slug }
      try Self.keep(profile, file)
      return "\(file.path): \(TokenOwner(owner)) at \(server)"
    }
  }

  private static func keep(_ profile: Profile, _ file: ProfileFile) throws(ClientError) {
    do throws(CommandFailure) { try file.write(profile) } catch { throw .unusable(error.message) }
  }

  /// The key is made of the setup token, so that the same command gets the answer that was lost.
  private static func setUp(
    _ setup: String, _ server: String, _ authorityPEM: String?
  ) async throws(ClientError) -> String {
    let key: String
    do throws(OpenSSLError) {
      key = try SHA256Digest(hashing: Array("setup \(setup)".utf8)).hexadecimal
    } catch {
      throw .unusable("\(error)")
    }
    let anyone = try Administrator(
      server: server, authorityPEM: try Profile.authorities(authorityPEM), token: nil)
    let made = try await anyone.call(
      .post, "/v1/setup", .object([JSONMember("setupToken", .string(setup))]),
      fields: [("Idempotency-Key", key)])
    guard case .string(let token) = made["token"] else {
      throw .cannotTell(reason: "the server's answer holds no token", retryAfter: nil)
    }
    return token
  }

  /// The first word of a file.
  private static func word(_ path: String) throws(CommandFailure) -> String {
    let text = String(decoding: try InputFile.read(path), as: UTF8.self)
    return String(text.drop(while: \.isWhitespace).prefix { !$0.isWhitespace })
  }
}
