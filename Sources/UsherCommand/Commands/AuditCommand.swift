internal import Audit
internal import JSON
internal import Service

/// `usher audit verify`.
struct AuditCommand: Command {
  static let name = "audit"
  static let summary = "Say whether the audit trail is as it was written"
  static let discussion = """
    verify goes along the chain of every organization and the operator's own (in the database that --config names), or
    along one exported file (--export, lines of .../events/export without filters; - for standard input), and tells of
    each event that was altered, taken out or moved. Only a head that was kept elsewhere (--head, the token of
    .../events/head) shows that the end was cut off an export, or that somebody wrote the whole chain anew; with --jwks
    its signature is checked by the server's keys (/v1/jwks.json).
    Prints a line for each chain and fault. Exit codes: 0 nothing is wrong, 1 something is, or anything else.
    """

  private static let config = Option<String>("config", "FILE", required: false, "The configuration, JSON5")
  private static let organization = Option<String>(
    "organization", "SLUG", required: false, "Only this organization's chain")
  private static let export = Option<String>("export", "FILE", required: false, "An export, instead")
  private static let head = Option<String>(
    "head", "FILE", required: false, "Signed heads that were kept, one a line")
  private static let keySet = Option<String>("jwks", "FILE", required: false, "The server's keys, a JWK Set")
  private static let action = Operand("ACTION", "verify")
  static let arguments: [any Argument] = [config, organization, export, head, keySet, action]

  private let config, organization, export, head, keySet: String?

  init(_ given: GivenArguments) throws(UsageError) {
    config = try given.optional(Self.config)
    organization = try given.optional(Self.organization)
    export = try given.optional(Self.export)
    head = try given.optional(Self.head)
    keySet = try given.optional(Self.keySet)
    let action = try given.word(Self.action)
    guard action == "verify" else { throw .unwantedWord(action) }
    guard export == nil || head != nil else { throw .missing(Self.head.usage) }
    guard config != nil || export != nil else { throw .missing(Self.config.usage) }
  }

  func run(_ terminal: Terminal) async throws(CommandFailure) -> ExitCode {
    let heads = try readHeads()
    var isGood = true
    if let export { isGood = try verify(export, heads, terminal) }
    guard let config else { return isGood ? .success : .failure }
    let configuration = try Configuration.forCommand(file: config, terminal)
    do throws(StartFailure) {
      let chains = try await Maintenance(configuration).verifyEvents(only: organization, heads: heads)
      for chain in chains {
        isGood =
          report(
            chain.organization ?? "the operator's own", chain.count, through: chain.position, chain.findings,
            terminal) && isGood
      }
    } catch { throw CommandFailure(error) }
    return isGood ? .success : .failure
  }

  private func readHeads() throws(CommandFailure) -> [ChainHead] {
    guard let head else { return [] }
    let text = String(decoding: try InputFile.read(head), as: UTF8.self)
    let keys: [UInt8]? = if let keySet { try InputFile.read(keySet) } else { nil }
    var heads: [ChainHead] = []
    for line in text.split(whereSeparator: \.isWhitespace) {
      do throws(ChainHeadFault) { heads.append(try ChainHead(signed: String(line), keySet: keys)) } catch {
        throw CommandFailure("\(head): \(error)")
      }
    }
    guard !heads.isEmpty else { throw CommandFailure("\(head) holds no head") }
    return heads
  }

  /// A file is of one organization: its heads say from where it goes on.
  private func verify(
    _ file: String, _ heads: [ChainHead], _ terminal: Terminal
  ) throws(CommandFailure) -> Bool {
    guard let head = heads.max(by: { $0.last.position < $1.last.position }),
      heads.allSatisfy({ $0.organization == head.organization })
    else { throw CommandFailure("the heads are of several organizations, the export is of one") }
    let bytes = try InputFile.read(file, limit: 1 << 30)
    var lines: [(position: Int64, line: JSONValue)] = []
    var unsealed = 0
    for (index, text) in bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
      guard let line = try? JSONValue(parsing: Array(text)) else {
        throw CommandFailure("\(file): line \(index + 1) is not JSON")
      }
      if case .integer(let position)? = line["position"] {
        lines.append((position, line))
      } else {
        unsealed += 1
      }
    }
    lines.sort { $0.position < $1.position }
    var verification = ChainVerification(from: head.start, heads: heads)
    do {
      for line in lines { _ = try verification.read(line: line.line) }
    } catch { throw CommandFailure("\(error)") }
    verification.finish()
    if unsealed > 0 { terminal.print("\(unsealed) events were not sealed yet, and are not judged") }
    return report(
      head.slug ?? "the operator's own", Int64(lines.count), through: verification.last.position,
      verification.findings, terminal)
  }

  private func report(
    _ name: String, _ count: Int64, through position: Int64, _ findings: [ChainFinding], _ terminal: Terminal
  ) -> Bool {
    for finding in findings { terminal.print("FAILURE: \(name): \(finding)") }
    if findings.isEmpty { terminal.print("SUCCESS: \(name): \(count) events, through \(position)") }
    return findings.isEmpty
  }
}
