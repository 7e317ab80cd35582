internal import JSON
internal import UsherClient

/// A file of requests.
enum BulkFile {
  private static let limit = 256 * 1024 * 1024

  static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
    try InputFile.read(path, limit: limit)
  }

  /// Lines of JSON as `POST /v1/bulk` takes them.
  static func lines(_ bytes: [UInt8]) throws(CommandFailure) -> [BulkLine] {
    var lines: [BulkLine] = []
    for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .enumerated()
    where !line.allSatisfy({ $0 == 0x20 || $0 == 0x0d || $0 == 0x09 }) {
      guard case .object(let members)? = try? JSONValue(parsing: Array(line)),
        members.contains(where: { $0.name == "method" }), members.contains(where: { $0.name == "path" })
      else { throw CommandFailure(#"line \#(index + 1) is not {"method": …, "path": …, "body": …}"#) }
      lines.append(BulkLine(index + 1, members))
    }
    return lines
  }

  /// Rows whose columns are what the verb takes; what the command line gives besides goes for every row.
  static func lines(
    _ csv: CSV, of verb: Verb, _ given: GivenArguments, organization: String?
  ) throws -> [BulkLine] {
    let taken = verb.arguments.filter { $0.place != .command && $0.name != Parameter.idempotencyKey.name }
    let columns = try csv.titles.map { title in
      guard let parameter = taken.first(where: { name($0.name) == name(title) }) else {
        let names = taken.map { name($0.name) }
        let guess = Suggestion.closest(to: name(title), among: names).map { "; did you mean \($0)?" } ?? "."
        throw CommandFailure(
          "there is no column \(title)\(guess) There are \(names.joined(separator: ", "))")
      }
      return parameter
    }
    return try csv.rows.map { row in
      var words: [String: [String]] = [:]
      for (column, cell) in zip(columns, row.cells) where !cell.isEmpty {
        words[column.name] = column.isRepeatable ? cell.split(separator: "|").map(String.init) : [cell]
      }
      do {
        let given = GivenArguments(words: words).completed(by: given.words)
        try given.require(verb.arguments)
        return BulkLine(row.line, try VerbRequest(verb, given, organization: organization))
      } catch let error as UsageError {
        throw CommandFailure("line \(row.line): \(error)")
      }
    }
  }

  /// `externalId`, `External ID` and `external_id` are `external-id`.
  private static func name(_ title: String) -> String {
    var name = ""
    var last: Character = " "
    for letter in title {
      if letter.isUppercase, last.isLowercase { name += "-" }
      name += letter == "_" || letter == " " ? "-" : letter.lowercased()
      last = letter
    }
    return name
  }
}
