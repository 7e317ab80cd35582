internal import CPostgres

/// The one owner of a `PGconn`, and the only place that calls libpq about it. It never waits: whoever has it knows when
/// to call again.
// SAFETY: the pointer is libpq's from `init` to `deinit`, and this value is never copied; the notices outlive it.
@safe struct PQConnection: ~Copyable {
  /// What `PQconnectPoll` waits for.
  enum Progress {
    case reading
    case writing
    case connected
    case failed(String)
  }

  enum Flush {
    case done
    case wouldBlock
    case failed
  }

  private let connection: OpaquePointer
  private let notices = Notices()

  /// Begins to connect; nil when there is no memory. The options name addresses in numbers, or libpq would look names up
  /// and wait.
  init?(options: [(keyword: String, value: String)]) {
    // SAFETY: both lists end with null, and libpq copies the strings.
    let keywords = unsafe CStrings(options.map(\.keyword))
    let values = unsafe CStrings(options.map(\.value))
    defer {
      unsafe keywords.free()
      unsafe values.free()
    }
    guard let connection = unsafe PQconnectStartParams(keywords.list, values.list, 0) else { return nil }
    unsafe self.connection = unsafe connection
    // SAFETY: `notices` lives as long as the connection, which ends in `deinit`.
    let context = unsafe Unmanaged.passUnretained(notices).toOpaque()
    _ = unsafe PQsetNoticeReceiver(connection, receiveNotice, context)
  }

  deinit { unsafe PQfinish(connection) }

  // MARK: Connecting

  /// The socket, which may be another one after each `poll`; -1 when there is none.
  var socket: Int32 { unsafe PQsocket(connection) }

  func poll() -> Progress {
    switch unsafe PQconnectPoll(connection) {
    case PGRES_POLLING_READING: .reading
    case PGRES_POLLING_WRITING: .writing
    case PGRES_POLLING_OK: .connected
    default: .failed(errorMessage)
    }
  }

  /// After `connected`: never wait for the socket, and from now on in pipeline mode.
  func enterPipeline() -> Bool {
    unsafe PQsetnonblocking(connection, 1) == 0 && PQenterPipelineMode(connection) == 1
  }

  /// Only while nothing is under way.
  func leavePipeline() -> Bool { unsafe PQexitPipelineMode(connection) == 1 }

  /// The attempt has not failed before it began.
  var isStarting: Bool { unsafe PQstatus(connection) != CONNECTION_BAD }
  var isAlive: Bool { unsafe PQstatus(connection) == CONNECTION_OK }
  var isInTransaction: Bool { unsafe PQtransactionStatus(connection) != PQTRANS_IDLE }
  var isTransactionFailed: Bool { unsafe PQtransactionStatus(connection) == PQTRANS_INERROR }

  /// The server says that it is a standby (version 14 and later say so by themselves, at every change).
  var isInHotStandby: Bool {
    unsafe PQparameterStatus(connection, "in_hot_standby").map { unsafe String(cString: $0) == "on" } ?? false
  }

  /// The last error, in one line.
  var errorMessage: String {
    let text = unsafe PQerrorMessage(connection).map { unsafe String(cString: $0) } ?? ""
    return text.isEmpty ? "the connection was lost" : text.split(separator: "\n").joined(separator: "; ")
  }

  // MARK: Sending

  func sendPrepare(_ name: String, _ sql: StaticString, types: [UInt32]) -> Bool {
    // SAFETY: libpq copies the text, which is a literal and ends with null, and the types.
    sql.withUTF8Buffer { text in
      unsafe text.withMemoryRebound(to: CChar.self) { text in
        unsafe types.withUnsafeBufferPointer { types in
          unsafe PQsendPrepare(connection, name, text.baseAddress, Int32(types.count), types.baseAddress) == 1
        }
      }
    }
  }

  /// Executes a prepared statement; parameters and results are binary.
  func sendExecute(_ name: String, _ parameters: borrowing Parameters) -> Bool {
    // SAFETY: libpq copies the values; each pointer is into the buffer, with the length beside it.
    unsafe parameters.withValues { values, lengths, formats in
      unsafe PQsendQueryPrepared(
        connection, name, Int32(values.count), values.baseAddress, lengths.baseAddress, formats.baseAddress, 1
      ) == 1
    }
  }

  /// Ends a group, and sends what the socket takes.
  func sendSync() -> Bool { unsafe PQpipelineSync(connection) == 1 }

  /// Sends text in the simple protocol; outside of pipeline mode only.
  func sendQuery(_ sql: String) -> Bool { unsafe PQsendQuery(connection, sql) == 1 }

  func sendCopyData(_ bytes: ArraySlice<UInt8>) -> Bool {
    // SAFETY: libpq copies the bytes.
    unsafe bytes.withUnsafeBytes {
      unsafe PQputCopyData(
        connection, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count)) == 1
    }
  }

  func sendCopyEnd() -> Bool { unsafe PQputCopyEnd(connection, nil) == 1 }

  func flush() -> Flush {
    switch unsafe PQflush(connection) {
    case 0: .done
    case 1: .wouldBlock
    default: .failed
    }
  }

  // MARK: Receiving

  /// Reads once; false: the connection is lost.
  func consumeInput() -> Bool { unsafe PQconsumeInput(connection) == 1 }

  /// There is more to read. A TLS record may be read already and wait inside: `usesTLS`.
  var hasInput: Bool { postgres_has_input(socket) }
  var usesTLS: Bool { unsafe PQsslInUse(connection) == 1 }

  /// The next result is not complete.
  var isBusy: Bool { unsafe PQisBusy(connection) == 1 }

  func nextResult() -> PQResult? {
    guard let result = unsafe PQgetResult(connection) else { return nil }
    return unsafe PQResult(result)
  }

  /// The next notification's payload.
  func nextNotification() -> String? {
    guard let notification = unsafe PQnotifies(connection) else { return nil }
    defer { unsafe PQfreemem(notification) }
    return unsafe notification.pointee.extra.map { unsafe String(cString: $0) } ?? ""
  }

  /// What the server warned of since the last time.
  func takeWarning() -> String? { notices.warning.take() }
}

/// Collects warnings: what a commit promises may not hold after one.
private final class Notices {
  var warning: String?
}

/// libpq's notice receiver (a named function: C calls it, on the thread that called libpq).
private func receiveNotice(_ context: UnsafeMutableRawPointer?, _ result: OpaquePointer?) {
  guard let context = unsafe context, let result = unsafe result,
    let severity = unsafe PQresultErrorField(result, PQResult.Field.severity.rawValue),
    unsafe String(cString: severity) == "WARNING"
  else { return }
  // SAFETY: the context is the `Notices` of the connection that is calling.
  unsafe Unmanaged<Notices>.fromOpaque(context).takeUnretainedValue().warning =
    PQResult.field(.message, of: result) ?? "a warning"
}

/// A null-terminated list of C strings, freed by hand.
@unsafe private struct CStrings {
  let list: UnsafeMutablePointer<UnsafePointer<CChar>?>
  private let count: Int

  init(_ strings: [String]) {
    unsafe count = strings.count
    unsafe list = .allocate(capacity: strings.count + 1)
    for (index, string) in strings.enumerated() {
      unsafe (list + index).initialize(to: UnsafePointer(strdup(string)))
    }
    unsafe (list + strings.count).initialize(to: nil)
  }

  func free() {
    for index in unsafe 0..<count { unsafe CPostgres.free(UnsafeMutableRawPointer(mutating: list[index])) }
    unsafe list.deallocate()
  }
}
