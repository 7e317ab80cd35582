internal import JSON
internal import UsherClient

/// `usher import`.
struct ImportCommand: Command {
  static let name = "import"
  static let summary = "Carry out a file of requests: a CSV of one kind, or lines of JSON"
  static let discussion = """
    A CSV is of one kind (--as identity, --as license.put, --as seat.free: a resource,
    and its verb unless it is create). Its first line names the columns, which are
    the options and words of that verb; several values of a cell are parted by |.
    usher identity create --from FILE is the same. Lines of JSON are requests, as
    POST /v1/bulk takes them: {"method": "POST", "path": "/v1/…", "body": {…}}.
    Every request is named by what it says, so an import that was interrupted is simply
    run again: within 24 hours each line is done once and answered the same, secrets
    included, wherever it then stands in the file; later, names and external ids keep
    things from being made twice. --batch NAME makes everything anew.
    Exit codes: 0 all is there, 3 some were refused (each is told with its line), 4 nobody
    can tell now, 1 else.
    """

  private static let file = Operand("FILE", "The file, - for standard input")
  private static let kind = Option<String>(
    "as", "KIND", required: false, "What each line of a CSV is, such as identity")
  private static let organization = Option<String>(
    "org", "SLUG", required: false, "The organization of a CSV (the profile's unless given)")
  private static let dryRun = Flag(
    "dry-run", "Only say what would be sent, as lines of JSON that import takes")
  private static let batch = Option<String>(
    "batch", "NAME", required: false, "Another name makes everything anew")
  private static let asJSON = Flag("json", "Print what came of every line, as one document")
  static let arguments: [any Argument] = [
    file, kind, organization, dryRun, batch, asJSON, ProfileFile.option,
  ]

  private let file: String
  private let kind, organization, batch, profile: String?
  private let isDryRun, asJSON: Bool

  init(_ given: GivenArguments) throws(UsageError) {
    file = try given.word(Self.file)
    kind = try given.optional(Self.kind)
    organization = try given.optional(Self.organization)
    batch = try given.optional(Self.batch)
    profile = try given.optional(ProfileFile.option)
    isDryRun = given.isGiven(Self.dryRun)
    asJSON = given.isGiven(Self.asJSON)
  }

  func run(_ terminal: Terminal) async throws(CommandFailure) -> ExitCode {
    let profileFile = try ProfileFile(profile, terminal.environment)
    let profile = profileFile.exists || !isDryRun ? try profileFile.read() : nil
    let bytes = try BulkFile.read(file)
    let verb = try kind.map { kind throws(CommandFailure) in try Self.verb(kind) }
    do {
      let lines: [BulkLine]
      if let verb {
        let given = GivenArguments(words: organization.map { ["org": [$0]] } ?? [:])
        lines = try BulkFile.lines(CSV(bytes), of: verb, given, organization: profile?.organization)
      } else {
        guard bytes.first(where: { $0 > 0x20 }) != nil, bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{")
        else {
          throw CommandFailure("this is not JSON; of a CSV --as says what its lines are")
        }
        lines = try BulkFile.lines(bytes)
      }
      return try await BulkCommand(
        profile: profile, terminal: terminal, batch: batch, isDryRun: isDryRun, asJSON: asJSON, verb: verb
      ).run(lines)
    } catch let failure as CommandFailure {
      throw failure
    } catch { throw CommandFailure("\(error)") }
  }

  /// `identity`, which is `identity.create`, or `seat.free`.
  private static func verb(_ kind: String) throws(CommandFailure) -> Verb {
    let parts = kind.split(separator: ".", maxSplits: 1).map(String.init)
    guard let resource = parts.first.flatMap(Resource.named),
      let verb = resource.verb(named: parts.count == 2 ? parts[1] : "create"), verb.isBulk
    else {
      let kinds = Resource.all.filter { $0.verb(named: "create") != nil }.map(\.name)
      throw CommandFailure(
        "--as is \"\(kind)\"; allowed: \(kinds.joined(separator: ", ")), or RESOURCE.VERB such as seat.free")
    }
    return verb
  }
}
