internal import JSON
internal import PKIX
internal import Reactor

/// `usher verify-chain`: what a server would say of a certificate, without a server.
struct VerifyChainCommand: Command {
  static let name = "verify-chain"
  static let summary = "Say whether a certificate would be trusted, and why not"
  static let discussion = """
    Judges LEAF as a client's certificate, with the function that servers use. Every anchor is tried alone; certificates
    and lists are PEM or DER, several of them in one PEM file. Prints one line; what is odd but harmless goes to standard
    error. Exit codes: 0 trusted, 1 not trusted or anything else.

    Without LEAF it reads cases from standard input, as JSON in the form of x509-limbo (purposes, key usages and peer
    names in it are not looked at), and prints {"version", "harness", "results": [{"id", "actual_result", "context"}]}.
    """

  private static let anchor = Option<String>(
    "anchor", "FILE", required: false, "The CA certificates in which trust begins")
  private static let untrusted = Option<String>(
    "untrusted", "FILE", required: false, "Certificates that may lie between")
  private static let crl = Option<String>("crl", "FILE", required: false, "Revocation lists")
  private static let at = Option<Moment>(
    "at", "TIME", required: false, "When (now unless given), such as 2026-11-30T12:00:00Z")
  private static let leaf = Operand("LEAF", "The certificate, a file", isRequired: false)
  static let arguments: [any Argument] = [anchor, untrusted, crl, at, leaf]

  private let anchor, untrusted, crl, leaf: String?
  private let time: Moment?

  init(_ given: GivenArguments) throws(UsageError) {
    anchor = try given.optional(Self.anchor)
    untrusted = try given.optional(Self.untrusted)
    crl = try given.optional(Self.crl)
    time = try given.optional(Self.at)
    leaf = given.optional(Self.leaf)
    if leaf != nil, anchor == nil { throw .missing(Self.anchor.usage) }
    if leaf == nil, anchor != nil || untrusted != nil || crl != nil { throw .missing(Self.leaf.name) }
  }

  func run(_ terminal: Terminal) async throws(CommandFailure) -> ExitCode {
    let now = time?.seconds ?? WallClock.seconds
    guard let leaf, let anchor else {
      terminal.print(try ChainSuite.answer(to: InputFile.read("-", limit: 64 << 20), now: now))
      return .success
    }
    guard let certificate = try Self.certificates(leaf).first else {
      throw CommandFailure("\(leaf) holds no certificate")
    }
    var question = ChainCase(anchors: try Self.certificates(anchor), leaf: certificate, time: now)
    guard !question.anchors.isEmpty else { throw CommandFailure("\(anchor) holds no certificate") }
    if let untrusted { question.untrusted = try Self.certificates(untrusted) }
    if let crl { question.lists = try Self.lists(crl) }
    let answer = question.answer()
    for note in answer.notes { terminal.error("usher \(Self.name): \(note)") }
    terminal.print("\(answer.isTrusted ? "SUCCESS" : "FAILURE"): \(answer.reason)")
    return answer.isTrusted ? .success : .failure
  }

  private static func certificates(_ file: String) throws(CommandFailure) -> [Certificate] {
    let contents = try InputFile.read(file)
    do throws(CertificateError) {
      return contents.first == 0x30 ? [try Certificate(der: contents)] : try Certificate.all(inPEM: contents)
    } catch { throw CommandFailure("\(file): \(error)") }
  }

  private static func lists(_ file: String) throws(CommandFailure) -> [RevocationList] {
    let contents = try InputFile.read(file, limit: RevocationList.limit)
    do {
      guard contents.first != 0x30 else { return [try RevocationList(der: contents)] }
      return try PEM.blocks(in: contents).filter { $0.label == "X509 CRL" }.map {
        try RevocationList(der: $0.bytes)
      }
    } catch { throw CommandFailure("\(file): \(error)") }
  }
}
