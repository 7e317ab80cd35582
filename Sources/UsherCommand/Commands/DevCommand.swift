internal import Telemetry

/// `usher dev`: all of it on this machine, its own PostgreSQL included.
struct DevCommand: Command {
  static let name = "dev"
  static let summary = "Run everything on this machine, with a PostgreSQL of its own"
  static let discussion = """
    Makes what is missing in a folder (a PostgreSQL cluster, a server certificate, an operator token), starts, and
    prints one line that begins with ready. The folder then holds operator.token, server-ca.pem and the effective
    usher.json. Ctrl-C stops PostgreSQL too; the next start finds everything as it was.
    """

  private static let data = Option("data", "DIR", default: ".usher", "The folder where everything is kept")
  private static let devicePort = Option<UInt16>(
    "device-port", "PORT", default: 8443, "For devices; 0 picks one")
  private static let adminPort = Option<UInt16>(
    "admin-port", "PORT", default: 8444, "For admins and enrollment")
  private static let opsPort = Option<UInt16>(
    "ops-port", "PORT", default: 8445, "For health and metrics, plain")
  private static let demo = Flag(
    "demo", "Create an organization and a license, and print how to enroll a device")
  static let arguments: [any Argument] = [data, devicePort, adminPort, opsPort, demo]

  private let data: String
  private let devicePort, adminPort, opsPort: UInt16
  private let withDemo: Bool

  init(_ given: GivenArguments) throws(UsageError) {
    data = try given.value(Self.data)
    devicePort = try given.value(Self.devicePort)
    adminPort = try given.value(Self.adminPort)
    opsPort = try given.value(Self.opsPort)
    withDemo = given.isGiven(Self.demo)
  }

  func run(_ terminal: Terminal) async throws(CommandFailure) -> ExitCode {
    let logger = Logger("usher", writer: LogWriter())
    let server = DevelopmentServer(
      folder: try DevelopmentFolder(data),
      ports: DevelopmentServer.Ports(device: devicePort, admin: adminPort, ops: opsPort), terminal: terminal,
      logger: logger)
    try await server.run(withDemo: withDemo)
    return .success
  }
}
