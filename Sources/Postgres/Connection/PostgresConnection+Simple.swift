import Reactor

extension PostgresConnection {
  /// Text in the simple protocol, or a copy, that is under way.
  struct SimpleQuery {
    /// What a copy sends.
    var bytes: ArraySlice<UInt8>
    var failure: PostgresError?
    let done: (PostgresError?) -> Void
  }

  /// Runs statements as text, outside of pipeline mode; `bytes` are the input of a COPY.
  func simple(_ sql: String, copying bytes: [UInt8] = []) async throws(PostgresError) {
    let failure = await loop.suspend { continuation in
      startSimple(sql, copying: bytes) { continuation.resume(returning: $0) }
    }
    if let failure { throw failure }
  }

  func startSimple(
    _ sql: String, copying bytes: [UInt8] = [], done: @escaping (PostgresError?) -> Void
  ) {
    guard case .ready = phase, pipeline.isIdle else {
      return done(.unavailable("the connection is not free for a simple query"))
    }
    simple = SimpleQuery(bytes: bytes[...], done: done)
    phase = .simple
    guard link?.leavePipeline() == true, link?.sendQuery(sql) == true else { return lose() }
    flush()
  }

  func answerSimple() {
    while simple != nil, link?.isBusy == false {
      guard let result = link?.nextResult() ?? nil else { return finishSimple() }
      switch result.status {
      case .failed:
        if simple?.failure == nil { simple?.failure = result.error }
      case .copyIn: copy()
      case .command, .rows, .pipelineAborted, .pipelineSync, .other: break
      }
    }
  }

  private func copy() {
    while let chunk = simple?.bytes.prefix(1 << 16), !chunk.isEmpty {
      if link?.sendCopyData(chunk) != true { return lose() }
      simple?.bytes.removeFirst(chunk.count)
    }
    if link?.sendCopyEnd() != true { return lose() }
    flush()
  }

  private func finishSimple() {
    guard let query = simple.take() else { return }
    _ = link?.takeWarning()
    guard link?.enterPipeline() == true else {
      query.done(query.failure ?? .unavailable("the connection was lost"))
      return lose()
    }
    phase = .ready
    query.done(query.failure)
  }
}
