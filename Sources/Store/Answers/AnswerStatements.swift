import JSON
import Licensing
import Postgres

/// A lock and not a row, so that whoever comes second is told at once and waits for nobody.
struct HoldAnswerPlace: Statement {
  static let sql: StaticString = "SELECT pg_try_advisory_xact_lock($1)"
  let place: AnswerPlace
  func bind(_ parameters: inout Parameters) {
    // Both are digests: so many of their bits as a lock has room for name the place well enough.
    let bits = zip(place.scope, place.name).prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1.0 ^ $1.1) }
    parameters.append(Int64(bitPattern: bits))
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Bool { try columns.bool(0) }
}

struct FindAnswer: Statement {
  static let sql: StaticString = """
    SELECT body_hash, status, headers, body FROM idempotency
    WHERE scope = $1 AND key = encode($2, 'hex') AND status IS NOT NULL
    """
  let place: AnswerPlace
  func bind(_ parameters: inout Parameters) {
    parameters.append(place.scope)
    parameters.append(place.name)
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> StoredAnswer {
    StoredAnswer(
      request: try columns.bytes(0), status: try columns.int16(1),
      headers: try JSONColumn.headers(try columns.bytes(2)), sealedBody: try columns.bytes(3))
  }
}

struct KeepAnswer: Statement {
  static let sql: StaticString = """
    INSERT INTO idempotency (scope, key, body_hash, status, headers, body, sealed)
    VALUES ($1, encode($2, 'hex'), $3, $4, $5, $6, true)
    """
  let answer: StoredAnswer
  let place: AnswerPlace
  func bind(_ parameters: inout Parameters) {
    parameters.append(place.scope)
    parameters.append(place.name)
    parameters.append(answer.request)
    parameters.append(answer.status)
    parameters.append(json: JSONColumn.bytes(of: answer.headers))
    parameters.append(answer.sealedBody)
  }
}

/// Header fields as an array of pairs, which keeps their order.
extension JSONColumn {
  fileprivate static func bytes(of headers: [StoredAnswer.Header]) -> [UInt8] {
    var writer = JSONWriter(capacity: 128)
    writer.value(.array(headers.map { .array([.string($0.name), .string($0.value)]) }))
    return writer.bytes
  }

  fileprivate static func headers(_ bytes: [UInt8]) throws(PostgresError) -> [StoredAnswer.Header] {
    guard case .array(let pairs)? = try? JSONValue(parsing: bytes) else {
      throw .decoding("a column holds no array of header fields")
    }
    return pairs.compactMap { pair in
      guard case .array(let parts) = pair, parts.count == 2, case .string(let name) = parts[0],
        case .string(let value) = parts[1]
      else { return nil }
      return StoredAnswer.Header(name, value)
    }
  }
}
