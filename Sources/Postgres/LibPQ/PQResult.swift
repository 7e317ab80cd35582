internal import CPostgres

/// The one owner of a `PGresult`.
// SAFETY: the pointer is libpq's from `init` to `deinit`, and this value is never copied.
@safe struct PQResult: ~Copyable {
  /// The fields of a message (PostgreSQL manual, §55.8).
  enum Field: Int32 {
    case severity = 86  // V
    case state = 67  // C
    case message = 77  // M
    case detail = 68  // D
    case constraint = 110  // n
  }

  enum Status {
    /// A command without rows.
    case command
    case rows
    case failed
    case pipelineAborted
    case pipelineSync
    case copyIn
    case other
  }

  private let result: OpaquePointer

  init(_ result: OpaquePointer) { unsafe self.result = unsafe result }

  deinit { unsafe PQclear(result) }

  var status: Status {
    switch unsafe PQresultStatus(result) {
    case PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: .command
    case PGRES_TUPLES_OK: .rows
    case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE, PGRES_NONFATAL_ERROR: .failed
    case PGRES_PIPELINE_ABORTED: .pipelineAborted
    case PGRES_PIPELINE_SYNC: .pipelineSync
    case PGRES_COPY_IN: .copyIn
    default: .other
    }
  }

  /// What the server said, or libpq when there is no connection any more.
  var error: PostgresError {
    guard let state = unsafe Self.field(.state, of: result) else {
      let text = unsafe PQresultErrorMessage(result).map { unsafe String(cString: $0) } ?? ""
      return .unavailable(text.split(separator: "\n").joined(separator: "; "))
    }
    return .server(
      SQLState(rawValue: state), message: unsafe Self.field(.message, of: result) ?? "",
      constraint: unsafe Self.field(.constraint, of: result), detail: unsafe Self.field(.detail, of: result))
  }

  static func field(_ field: Field, of result: OpaquePointer) -> String? {
    unsafe PQresultErrorField(result, field.rawValue).map { unsafe String(cString: $0) }
  }

  /// Reads every row as the statement's.
  func rows<S: Statement>(of: S.Type) throws(PostgresError) -> [S.Row] {
    let count = unsafe PQntuples(result)
    var rows: [S.Row] = []
    rows.reserveCapacity(Int(count))
    let width = Int(unsafe PQnfields(result))
    for row in 0..<count { rows.append(try S.row(unsafe Columns(result: result, row: row, count: width))) }
    return rows
  }
}
