internal import Cryptography
internal import JSON
internal import UsherClient

/// One request among many, from a line of a file.
struct BulkLine: Sendable {
  /// The line of the file, from 1.
  let number: Int
  /// `method`, `path`, and where there are such `body` and `ifMatch`.
  private var members: [JSONMember]

  init(_ number: Int, _ members: [JSONMember]) { (self.number, self.members) = (number, members) }

  init(_ number: Int, _ request: VerbRequest) {
    self.number = number
    members = [
      JSONMember("method", .string(request.method.rawValue)), JSONMember("path", .string(request.path)),
    ]
    if let body = request.body { members.append(JSONMember("body", body)) }
    if let tag = request.fields["If-Match"] { members.append(JSONMember("ifMatch", .string(tag))) }
  }

  var json: JSONValue { .object(members) }

  /// Names each request by what it says: wherever it stands in a file, and however often that is sent, it is done once.
  /// The second of two lines that say the same is another request than the first.
  ///
  /// - Parameter batch: under another name everything is another request.
  static func name(_ lines: [BulkLine], in batch: String) throws -> [BulkLine] {
    var seen: [String: Int] = [:]
    return try lines.map { line in
      let text = line.json.rendered
      seen[text, default: 0] += 1
      guard line.json["method"] == .string("POST"), line.json["idempotencyKey"] == nil else { return line }
      let key = try SHA256Digest(hashing: Array("\(batch)\n\(seen[text] ?? 0)\n\(text)".utf8))
      return BulkLine(line.number, line.members + [JSONMember("idempotencyKey", .string(key.hexadecimal))])
    }
  }
}
