internal import Glibc
internal import UsherClient

/// `usher enroll`: a key made here, and a certificate for it.
struct EnrollCommand: Command {
  static let name = "enroll"
  static let summary = "Make a key and get a certificate for it with an enrollment token"
  static let discussion = """
    Makes a P-256 key that never leaves this machine, asks the server for a certificate, and writes key.pem (0600),
    chain.pem, server-ca.pem and identity.json. A key that is there is never overwritten; one that has no certificate
    yet is used again. Prints identity.json.
    Exit codes: 0 enrolled, 3 refused (the problem is on standard error), 4 nobody can tell now, 1 else.
    """

  private static let server = Option<String>("server", "URL", required: true, "Where the server enrolls")
  private static let ca = Option<String>(
    "ca", "FILE", required: true, "The CA of the server's certificate, PEM")
  private static let token = Option<String>(
    "token", "T", required: false, "The enrollment token; others on this machine can see it")
  private static let tokenFile = Option<String>(
    "token-file", "FILE", required: false, "A file with the token, - for standard input")
  private static let out = Option<String>("out", "DIR", required: true, "The folder for the identity")
  private static let deviceName = Option<String>(
    "name", "NAME", required: false, "The name to ask for (the machine's unless given)")
  static let arguments: [any Argument] = [server, ca, token, tokenFile, out, deviceName]
  private static let tokenVariable = "USHER_ENROLLMENT_TOKEN"

  private let server, ca, out: String
  private let token, tokenFile, deviceName: String?

  init(_ given: GivenArguments) throws(UsageError) {
    server = try given.value(Self.server)
    ca = try given.value(Self.ca)
    token = try given.optional(Self.token)
    tokenFile = try given.optional(Self.tokenFile)
    out = try given.value(Self.out)
    deviceName = try given.optional(Self.deviceName)
  }

  func run(_ terminal: Terminal) async throws(CommandFailure) -> ExitCode {
    let token = try readToken(terminal)
    let authorityPEM = try InputFile.read(ca)
    return try await ClientOutcome.tell(terminal) { () throws(ClientError) in
      let client = try Client(server: server, authorityPEM: authorityPEM)
      let folder = IdentityFolder(out)
      let key = try folder.prepareKey()
      let request = try key.certificationRequest(commonName: deviceName ?? Self.hostName())
      try folder.complete(
        with: try await client.enroll(token: token, request: request), authorityPEM: authorityPEM)
      return try folder.read().json
    }
  }

  /// From where it was given, and only from there.
  private func readToken(_ terminal: Terminal) throws(CommandFailure) -> String {
    switch (token, tokenFile, terminal.environment[Self.tokenVariable]) {
    case (let token?, nil, _): return token
    case (nil, let file?, _):
      let text = String(decoding: try InputFile.read(file), as: UTF8.self)
      return String(text.drop(while: \.isWhitespace).prefix { !$0.isWhitespace })
    case (nil, nil, let token?): return token
    case (.some, .some, _): throw CommandFailure("--token and --token-file exclude each other")
    case (nil, nil, nil):
      throw CommandFailure("the token must be given by --token-file, --token or \(Self.tokenVariable)")
    }
  }

  /// What a common name has room for (RFC 5280 appendix A).
  private static func hostName() -> String {
    var name = [CChar](repeating: 0, count: 65)
    // SAFETY: the last byte stays zero.
    guard unsafe gethostname(&name, 64) == 0, name[0] != 0 else { return "device" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
