/// `usher enroll`: a key made here, and a certificate for it.
struct EnrollCommand: Command {
  static let name = "enroll"
  static let summary = "Make a key and get a certificate for it with an enrollment token"
  static let discussion = """
    Makes a P-256 key that never leaves this machine, asks the server for a certificate, and writes key.pem (0600),
    chain.pem, server-ca.pem and identity.json. A key that is there is never overwritten; one that has no certificate
    yet is used again.
    """

  private static let server = Option<String>("server", "URL", required: true, "Where the server enrolls")
  private static let ca = Option<String>(
    "ca", "FILE", required: true, "The CA of the server's certificate, PEM")
  private static let token = Option<String>("token", "T", required: true, "The enrollment token")
  private static let out = Option<String>("out", "DIR", required: true, "The folder for the identity")
  static let arguments: [any Argument] = [server, ca, token, out]

  private let server, ca, token, out: String

  init(_ given: GivenArguments) throws(UsageError) {
    server = try given.value(Self.server)
    ca = try given.value(Self.ca)
    token = try given.value(Self.token)
    out = try given.value(Self.out)
  }

  func run(_ terminal: Terminal) async throws(CommandFailure) -> ExitCode {
    throw CommandFailure("the client is not part of this build")
  }
}
