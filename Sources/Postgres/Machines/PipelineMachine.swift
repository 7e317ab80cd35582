/// What is under way on one connection in pipeline mode (PostgreSQL manual, §34.5), without the connection.
///
/// What lies between two Syncs is a group: outside of a transaction block it is one transaction. An operation is settled
/// when the Sync behind it is answered, never before: a commit may still fail when its own answer was good. Groups of
/// several operations are for look-ups only, so one that succeeded stays so when a later one of its group fails.
///
/// A statement is prepared in a group of its own right in front of its first use, so that no other failure can undo
/// that, and its own failure is nobody else's.
struct PipelineMachine<Operation>: ~Copyable {
  /// What libpq hands out, in order.
  enum Reply {
    /// A command succeeded; its rows, if any, are at hand.
    case succeeded
    case failed(PostgresError)
    /// Not run, because something before it in its group failed.
    case aborted
    /// There is nothing more of this command.
    case end
    /// The server answered a Sync.
    case synced
  }

  /// What to do about a reply.
  enum Action {
    case none
    /// Read the rows now: they are gone afterwards.
    case decode(Operation)
    /// A group is over.
    case settle([(Operation, Verdict)])
    /// That answers nothing that was asked: the connection is of no use.
    case drop(PostgresError)
  }

  /// How to send an operation: its statement goes by a number on this connection.
  enum Sending: Equatable {
    case execute(statement: Int)
    /// Prepare and Sync, then execute; with a Sync before them when a group is open.
    case prepare(statement: Int, afterSync: Bool)
  }

  private enum Step {
    case prepare(statement: Int)
    case execute(Operation, statement: Int)
    case sync(deadline: Int64?)
  }

  private enum State: ~Copyable {
    /// Can transition to: `lost`.
    case open(Open)
    /// Final.
    case lost

    mutating func whileOpen<Result>(_ body: (inout Open) -> Result) -> Result? {
      switch consume self {
      case .open(var open):
        let result = body(&open)
        self = .open(open)
        return result
      case .lost:
        self = .lost
        return nil
      }
    }
  }

  private var state = State.open(Open())

  init() {}

  /// Nothing is under way.
  var isIdle: Bool {
    switch state {
    case .open(let open): open.steps.isEmpty
    case .lost: true
    }
  }

  /// When the oldest group should have been answered; nil: nothing under way has a deadline.
  var deadline: Int64? {
    switch state {
    case .open(let open): open.firstDeadline
    case .lost: nil
    }
  }

  /// An operation begins, to be settled until `deadline`. nil: the connection is lost, nothing is to be sent.
  mutating func submit(_ operation: Operation, of type: ObjectIdentifier, deadline: Int64? = nil) -> Sending?
  {
    state.whileOpen { $0.submit(operation, of: type, deadline: deadline) }
  }

  /// A group should end. true: send a Sync; false: no group is open.
  mutating func sync() -> Bool { state.whileOpen { $0.sync() } ?? false }

  mutating func received(_ reply: Reply) -> Action { state.whileOpen { $0.received(reply) } ?? .none }

  /// The server warned.
  mutating func warned(_ message: String) { _ = state.whileOpen { $0.warning = $0.warning ?? message } }

  /// The connection is lost: everything that was sent is settled so, and nothing more can be sent.
  mutating func lost(_ error: PostgresError) -> [(Operation, Verdict)] {
    let operations = state.whileOpen { $0.unsettled() } ?? []
    state = .lost
    return operations.map { ($0, .lost(error)) }
  }

  // MARK: Open

  private struct Open: ~Copyable {
    /// What was sent and is not answered, in order.
    var steps = Queue<Step>()
    /// Operations were sent since the last Sync.
    var isGroupOpen = false
    var groupDeadline: Int64?
    /// The first step has had its answer, though not its end.
    var isAnswered = false
    /// What became of the operations of the group that is being answered.
    var settled: [(Operation, Verdict)] = []
    var warning: String?
    /// The number of each prepared statement, by its type.
    var statements: [ObjectIdentifier: Int] = [:]
    var lastStatement = 0
    /// Why statements could not be prepared: executions that are on their way already say so.
    var unprepared: [Int: PostgresError] = [:]

    var firstDeadline: Int64? {
      for step in steps { if case .sync(let deadline?) = step { return deadline } }
      return nil
    }

    mutating func submit(_ operation: Operation, of type: ObjectIdentifier, deadline: Int64?) -> Sending {
      let sending: Sending
      let statement: Int
      if let known = statements[type] {
        statement = known
        sending = .execute(statement: statement)
      } else {
        lastStatement += 1
        statement = lastStatement
        statements[type] = statement
        sending = .prepare(statement: statement, afterSync: sync())
        steps.append(.prepare(statement: statement))
        steps.append(.sync(deadline: deadline))
      }
      steps.append(.execute(operation, statement: statement))
      groupDeadline = isGroupOpen ? groupDeadline ?? deadline : deadline
      isGroupOpen = true
      return sending
    }

    mutating func sync() -> Bool {
      guard isGroupOpen else { return false }
      steps.append(.sync(deadline: groupDeadline))
      isGroupOpen = false
      return true
    }

    mutating func received(_ reply: Reply) -> Action {
      switch (reply, steps.first) {
      case (.end, _):
        // libpq also says so between groups, where it ends nothing.
        if isAnswered { _ = steps.popFirst() }
        isAnswered = false
        return .none
      case (_, nil):
        return .drop(.unavailable("the server answered what was not asked"))
      case (.synced, .sync):
        return synced()
      case (.failed(let error), .sync):
        // The commit itself failed, such as by a deferred constraint.
        settled = settled.map { ($0.0, .failed(error)) }
        return .none
      case _ where isAnswered:
        return .drop(.unavailable("the server answered twice"))
      case (.succeeded, .prepare):
        isAnswered = true
        return .none
      case (.succeeded, .execute(let operation, _)):
        return answered(operation, .succeeded, then: .decode(operation))
      case (.failed(let error), .prepare(let statement)):
        unprepared[statement] = error
        forget(statement)
        isAnswered = true
        return .none
      case (.failed(let error), .execute(let operation, let statement)):
        if error.isStaleStatement { forget(statement) }
        let cause = error.state == .invalidStatementName ? unprepared[statement] : nil
        return answered(operation, .failed(cause ?? error))
      case (.aborted, .execute(let operation, _)):
        return answered(operation, .notRun)
      case (.aborted, _), (.succeeded, .sync), (.synced, _):
        return .drop(.unavailable("the server's answers are out of step"))
      }
    }

    private mutating func answered(
      _ operation: Operation, _ verdict: Verdict, then action: Action = .none
    ) -> Action {
      isAnswered = true
      settled.append((operation, verdict))
      return action
    }

    private mutating func synced() -> Action {
      _ = steps.popFirst()
      if steps.isEmpty { unprepared = [:] }
      let warning = warning.take()
      let group = settled
      settled = []
      if group.isEmpty { return .none }
      guard let warning else { return .settle(group) }
      return .settle(group.map { ($0.0, $0.1 == .succeeded ? .doubtful(warning) : $0.1) })
    }

    /// The next use prepares it again, under another number.
    private mutating func forget(_ statement: Int) {
      if let type = statements.first(where: { $0.value == statement })?.key { statements[type] = nil }
    }

    mutating func unsettled() -> [Operation] {
      var operations = settled.map(\.0)
      settled = []
      // The first execution is among the settled ones when it has had its answer.
      var isFirst = isAnswered
      while let step = steps.popFirst() {
        if case .execute(let operation, _) = step, !isFirst { operations.append(operation) }
        isFirst = false
      }
      return operations
    }
  }
}
