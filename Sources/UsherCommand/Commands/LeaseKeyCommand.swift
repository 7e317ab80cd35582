internal import Service

/// `usher lease-key rotate`.
struct LeaseKeyCommand: Command {
  static let name = "lease-key"
  static let summary = "Replace the key that signs leases"
  static let discussion = """
    rotate makes a new key, which every server publishes within seconds and signs with after an hour; the old one stays
    published, so that what it signed holds to its end. With --at-once (the old key leaked) the new key signs now, and
    every key before it is withdrawn: no lease that it signed is believed by whoever reads the key set anew.
    Prints the new key's id.
    """

  private static let config = Option<String>("config", "FILE", required: true, "The configuration, JSON5")
  private static let atOnce = Flag("at-once", "Withdraw the keys before it, and sign with the new one now")
  private static let action = Operand("ACTION", "rotate")
  static let arguments: [any Argument] = [config, atOnce, action]

  private let config: String
  private let isAtOnce: Bool

  init(_ given: GivenArguments) throws(UsageError) {
    config = try given.value(Self.config)
    isAtOnce = given.isGiven(Self.atOnce)
    let action = try given.word(Self.action)
    guard action == "rotate" else { throw .unwantedWord(action) }
  }

  func run(_ terminal: Terminal) async throws(CommandFailure) -> ExitCode {
    let configuration = try Configuration.forCommand(file: config, terminal)
    do throws(StartFailure) {
      terminal.print(
        try await Maintenance(configuration).rotateLeaseKey(for: configuration, atOnce: isAtOnce))
    } catch { throw CommandFailure(error) }
    return .success
  }
}
