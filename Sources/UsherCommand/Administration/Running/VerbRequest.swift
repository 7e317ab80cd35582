internal import JSON
internal import UsherClient

/// What a verb with its arguments asks of the server.
struct VerbRequest: Sendable, Equatable {
  let method: Administrator.Method
  /// Escaped, with its query.
  var path: String
  var body: JSONValue?
  var fields: [String: String] = [:]
  /// A body that is no members, and what it is.
  var file: Administrator.Content?

  var content: Administrator.Content? { file ?? body.map(Administrator.Content.init(json:)) }

  /// - Parameter organization: whose, where the arguments do not say.
  init(_ verb: Verb, _ given: GivenArguments, organization: String?) throws {
    method = verb.method
    path = ""
    var values: [String: String] = [:]
    var query: [String] = []
    var members = verb.constants.map { (pointer: $0, value: JSONValue.string($1)) }
    var takesMembers = !members.isEmpty
    for parameter in verb.arguments {
      var words = given[parameter.name]
      if case .path("org") = parameter.place, words.isEmpty, let organization { words = [organization] }
      if case .member = parameter.place { takesMembers = true }
      guard !words.isEmpty else { continue }
      let isCleared = parameter.isClearable && words == ["none"]
      func value() throws -> JSONValue {
        if isCleared { return parameter.form == .texts && verb.method == .put ? .array([]) : .null }
        return try parameter.form.value(of: words, for: parameter.word)
      }
      switch parameter.place {
      case .path(let name):
        guard !words[0].isEmpty else { throw UsageError.missing(parameter.usage) }
        values[name] = Administrator.segment(words[0])
      case .query(let key): query.append("\(key)=\(Administrator.segment(CellText.raw(try value())))")
      case .member(let pointer): members.append((pointer, try value()))
      case .field(let name): fields[name] = words[0]
      case .body(let mediaType): file = try Self.file(words[0], mediaType)
      case .command: break
      }
    }
    guard verb.method != .patch || !members.isEmpty else { throw UsageError.missing("something to change") }
    if takesMembers {
      body = members.reduce(.object([])) { body, member in
        body.setting(member.pointer.split(separator: "/").map(String.init)[...], to: member.value)
      }
    }
    path = try Self.path(verb.path, values) + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
  }

  private static func file(_ path: String, _ mediaType: String) throws(CommandFailure)
    -> Administrator.Content
  {
    let bytes = try InputFile.read(path, limit: 16 * 1024 * 1024)
    let isPEM = bytes.starts(with: Array("-----BEGIN".utf8))
    return Administrator.Content(isPEM ? "application/x-pem-file" : mediaType, bytes)
  }

  /// Fills in the pattern; what stands in brackets falls away when its value is not there.
  private static func path(_ pattern: String, _ values: [String: String]) throws(UsageError) -> String {
    var pattern = pattern
    if let start = pattern.firstIndex(of: "["), let end = pattern.firstIndex(of: "]") {
      let inner = pattern[pattern.index(after: start)..<end]
      pattern.replaceSubrange(start...end, with: values["org"] == nil ? "" : String(inner))
    }
    var path = ""
    for (index, piece) in pattern.split(separator: "{", omittingEmptySubsequences: false).enumerated() {
      guard index > 0 else {
        path += piece
        continue
      }
      let name = String(piece.prefix { $0 != "}" })
      guard let value = values[name] else { throw .missing("--\(name), which the profile does not know,") }
      path += value + piece.dropFirst(name.count + 1)
    }
    return path
  }
}

extension JSONValue {
  /// The same object with a member, which may lie in objects that are not there yet.
  fileprivate func setting(_ pointer: ArraySlice<String>, to value: JSONValue) -> JSONValue {
    guard let name = pointer.first else { return value }
    guard case .object(var members) = self else { return JSONValue.object([]).setting(pointer, to: value) }
    let inner = (self[name] ?? .object([])).setting(pointer.dropFirst(), to: value)
    members.removeAll { $0.name == name }
    return .object(members + [JSONMember(name, inner)])
  }
}
