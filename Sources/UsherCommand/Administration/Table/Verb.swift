internal import UsherClient

/// One route of the API as a command: everything that is to say about it, as data.
struct Verb: Sendable {
  let name: String
  let summary: String
  let method: Administrator.Method
  /// As the reference has it: `/v1/organizations/{org}/licenses/{license}`; what stands in brackets is left out when its
  /// parameter is not given.
  let path: String
  /// In the order of the help; those in the path come from there.
  let parameters: [Parameter]
  /// Members of the body that are always the same: what makes `suspend` of an update.
  var constants: [String: String] = [:]
  var shape = Shape.resource
  /// Of what is made from a file: the members that are told of each line.
  var told: [String] = []
  var note: String?

  /// What a success answers.
  enum Shape: Sendable, Equatable {
    /// One document, or nothing.
    case resource
    /// Pages; these members are shown side by side.
    case list([String])
    /// Lines of JSON.
    case lines
  }

  /// Whether each line of a file can be such a request.
  var isBulk: Bool {
    method != .get && !parameters.contains { if case .body = $0.place { true } else { false } }
  }

  /// What the command line takes.
  var arguments: [Parameter] {
    pathParameters + parameters
      + (shape == .resource ? [] : [Self.limit, Self.cursor])
      + (isBulk ? [Self.from, Self.dryRun, Self.batch] : [])
      + (method == .post ? [.idempotencyKey] : [])
      + (shape == .resource ? [Self.printed] : []) + [Self.asJSON, Self.profile]
  }

  private var pathParameters: [Parameter] {
    path.split(separator: "{").dropFirst().map { piece in
      let name = String(piece.prefix { $0 != "}" })
      if name == "org" {
        return Parameter(
          name: "org", place: .path(name), form: .text, kind: .option(value: "SLUG"),
          help: path.contains("[")
            ? "The organization (else everything)" : "The organization (the profile's unless given)")
      }
      return Parameter(
        name: Self.operandNames[name] ?? name.uppercased(), place: .path(name), form: .text, kind: .operand,
        help: Self.operandHelp[name] ?? "", isRequired: true)
    }
  }

  var discussion: String {
    let note = note.map { "\n\($0)" } ?? ""
    return """
      \(summary).\(note)
      It is \(method.rawValue) \(path)
      Exit codes: 0 done, 3 refused (why is on standard error), 4 nobody can tell now,
      1 else.
      """
  }

  private static let operandNames = ["organization": "ORG", "externalId": "EXTERNAL-ID"]
  private static let operandHelp = [
    "organization": "The organization's slug", "product": "The product's code", "license": "The license's id",
    "externalId": "The vendor's own id", "identity": "The identity's name or id",
    "authority": "The authority's id", "enrollment": "The enrollment's id", "token": "The token's id",
    "webhook": "The webhook's id",
    "certificate": "Its SHA-256 fingerprint or serial number",
  ]

  static let limit = Parameter(
    name: "limit", place: .command, form: .number, kind: .option(value: "N"),
    help: "How many at most (all unless given)")
  static let cursor = Parameter(
    name: "cursor", place: .command, form: .text, kind: .option(value: "CURSOR"),
    help: "Go on where a list with --limit --json said next")
  static let from = Parameter(
    name: "from", place: .command, form: .text, kind: .option(value: "FILE"),
    help: "One for each line of this CSV; see usher import --help")
  static let dryRun = Parameter(
    name: "dry-run", place: .command, form: .text, kind: .flag,
    help: "With --from: only say what would be sent")
  static let batch = Parameter(
    name: "batch", place: .command, form: .text, kind: .option(value: "NAME"),
    help: "With --from: another name makes everything anew")
  static let printed = Parameter(
    name: "print", place: .command, form: .text, kind: .option(value: "MEMBER"),
    help: "Print this member of the answer alone, such as id or usage.held")
  static let asJSON = Parameter(
    name: "json", place: .command, form: .text, kind: .flag,
    help: "Print what the API answers, as one document")
  static let profile = Parameter(
    name: "profile", place: .command, form: .text, kind: .option(value: "NAME"),
    help: "Which profile, or the path of its file (default, or \(ProfileFile.variable))")
}
