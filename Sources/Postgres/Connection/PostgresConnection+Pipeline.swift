import Reactor

extension PostgresConnection {
  /// When an operation's group ends.
  enum Timing {
    /// With everything else of this turn of the loop.
    case turn
    /// At once, with nothing else in it.
    case alone
    /// Not yet: with the next that is `joined`.
    case later
    /// At once, together with what is open.
    case joined
  }

  /// Runs a statement.
  func run<S: Statement>(_ statement: S, timing: Timing) async -> Outcome<S.Row> {
    await loop.suspend { send(Execution<S>($0), statement, timing: timing) }
  }

  func send<S: Statement>(_ operation: Operation, _ statement: S, timing: Timing) {
    let deadline =
      role == .session ? nil : now.advanced(by: configuration.operationTimeout).nanoseconds
    if timing == .alone { sync() }
    guard let sending = pipeline.submit(operation, of: ObjectIdentifier(S.self), deadline: deadline) else {
      return operation.settle(.notSent(failure))
    }
    parameters.removeAll()
    statement.bind(&parameters)
    if !transmit(sending, S.self) { return lose() }
    switch timing {
    case .alone, .joined: sync()
    case .turn: planSync()
    case .later: break
    }
  }

  private var failure: PostgresError {
    if case .closed(let error) = phase { error } else { .unavailable("not connected") }
  }

  private func transmit<S: Statement>(_ sending: PipelineMachine<Operation>.Sending, _: S.Type) -> Bool {
    switch sending {
    case .execute(let number):
      return link?.sendExecute(names[number] ?? "", parameters) ?? false
    case .prepare(let number, let afterSync):
      // The type is for whoever looks into pg_prepared_statements; the number alone says which it is.
      let name = "\(number)_\(S.self)".prefix(60)
      names[number] = String(name)
      if afterSync, link?.sendSync() != true { return false }
      return link?.sendPrepare(String(name), S.sql, types: parameters.types) == true
        && link?.sendSync() == true && link?.sendExecute(String(name), parameters) == true
    }
  }

  // MARK: Ends of groups

  private func planSync() {
    if isSyncPlanned { return }
    isSyncPlanned = true
    afterTurn {
      $0.isSyncPlanned = false
      $0.sync()
    }
  }

  /// Ends the group that is open, if one is, and sends what the socket takes; the loop says when it takes more.
  private func sync() {
    guard pipeline.sync() else { return }
    if link?.sendSync() != true { return lose() }
    planDeadline()
  }

  func flush() {
    if link?.flush() == .failed { lose() }
  }

  // MARK: Time

  private func planDeadline() {
    guard deadlineTimer == nil, let deadline = pipeline.deadline else { return }
    deadlineTimer = schedule(at: MonotonicInstant(nanoseconds: deadline)) { $0.deadlinePassed() }
  }

  private func deadlinePassed() {
    deadlineTimer = nil
    if let deadline = pipeline.deadline, deadline <= now.nanoseconds { return end(.timedOut) }
    planDeadline()
  }

  // MARK: Answers

  func receive() {
    // A TLS record of at most 16 KiB may have been read from the socket but not taken; libpq takes at least 8 KiB a time.
    var hidden = link?.usesTLS == true ? 2 : 0
    while true {
      guard let isAlive = link?.consumeInput() else { return }
      takeWarning()
      if case .simple = phase { answerSimple() } else { answer() }
      takeNotifications()
      if !isAlive { return lose() }
      if link?.hasInput == true { continue }
      if hidden == 0 { return }
      hidden -= 1
    }
  }

  /// Hands on every answer that is complete.
  private func answer() {
    var ends = 0
    while !pipeline.isIdle, link?.isBusy == false {
      let action: PipelineMachine<Operation>.Action
      if let result = link?.nextResult() ?? nil {
        ends = 0
        guard let reply = reply(for: result) else { return lose() }
        action = pipeline.received(reply)
        if case .decode(let operation) = action { operation.decode(result) }
      } else {
        ends += 1
        if ends > 2 { return end(.unavailable("the server's answers are out of step")) }
        action = pipeline.received(.end)
      }
      takeWarning()
      switch action {
      case .none, .decode: break
      case .settle(let group): settle(group)
      case .drop(let error): return end(error)
      }
    }
  }

  /// nil: the connection is lost, and libpq made up the result.
  private func reply(for result: borrowing PQResult) -> PipelineMachine<Operation>.Reply? {
    switch result.status {
    case .command, .rows: return .succeeded
    case .pipelineAborted: return .aborted
    case .pipelineSync: return .synced
    case .failed:
      let error = result.error
      return error.state == nil && link?.isAlive != true ? nil : .failed(error)
    case .copyIn, .other: return .failed(.decoding("the statement does not return rows"))
    }
  }

  private func settle(_ group: [(Operation, Verdict)]) {
    for (operation, verdict) in group { operation.settle(verdict) }
    let isEnding = group.contains { _, verdict in
      if case .failed(let error) = verdict { role != .lookups && error.endsConnection } else { false }
    }
    if isEnding { return end(.unavailable("the server does not serve this session any more")) }
    if link?.isInHotStandby == true, configuration.targetSession != .any {
      end(.unavailable("the server is a standby"))
    }
  }

  private func takeWarning() {
    if let warning = link?.takeWarning() ?? nil { pipeline.warned(warning) }
  }

  private func takeNotifications() {
    while let payload = link?.nextNotification() ?? nil { onEvent?(.notified(payload)) }
  }

  func lose() { end(.unavailable(link?.errorMessage ?? "the connection was lost")) }
}
