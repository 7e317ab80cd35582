internal import Service

/// `usher rekey`: CA keys in the database get a new sealing key.
struct RekeyCommand: Command {
  static let name = "rekey"
  static let summary = "Seal the CA keys in the database under a new key"
  static let discussion = """
    The servers must know both keys meanwhile: first give them the new key as sealingKeyFile and the old one as
    previousSealingKeyFile, and start them again; then run this; then take previousSealingKeyFile away. Without --old and
    --new those two files of the configuration are meant. It may be interrupted, and run again.
    """

  private static let config = Option<String>("config", "FILE", required: true, "The configuration, JSON5")
  private static let old = Option<String>("old", "FILE", required: false, "The key that sealed them")
  private static let new = Option<String>("new", "FILE", required: false, "The key that shall seal them")
  static let arguments: [any Argument] = [config, old, new]

  private let config: String
  private let old: String?
  private let new: String?

  init(_ given: GivenArguments) throws(UsageError) {
    config = try given.value(Self.config)
    old = try given.optional(Self.old)
    new = try given.optional(Self.new)
  }

  func run(_ terminal: Terminal) async throws(CommandFailure) -> ExitCode {
    let configuration = try Configuration.forCommand(file: config, terminal)
    // With a new key by name, the configuration's own is the old one.
    let former = new == nil ? configuration.previousSealingKeyFile : configuration.sealingKeyFile
    guard let old = old ?? former else {
      throw CommandFailure("which key is the old one? Set previousSealingKeyFile, or give --old")
    }
    let rekeyed: Maintenance.Rekeyed
    do throws(StartFailure) {
      rekeyed = try await Maintenance(configuration).rekey(
        from: old, to: new ?? configuration.sealingKeyFile)
    } catch { throw CommandFailure(error) }
    for failure in rekeyed.failures { terminal.error(failure) }
    terminal.print("sealed anew: \(rekeyed.resealed), not opened: \(rekeyed.failures.count)")
    return rekeyed.failures.isEmpty ? .success : .failure
  }
}
