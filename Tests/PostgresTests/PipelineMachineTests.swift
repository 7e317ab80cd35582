import Testing

@testable import Postgres

/// What is sent and answered on a connection, as transcripts.
@Suite struct PipelineMachineTests {
  typealias Machine = PipelineMachine<String>
  private let first = ObjectIdentifier(Int.self)
  private let second = ObjectIdentifier(String.self)
  private let refusal = PostgresError.server(.uniqueViolation, message: "no", constraint: nil, detail: nil)

  @Test func `a statement is prepared in a group of its own in front of its first use, and only there`() {
    var machine = Machine()
    #expect(machine.submit("a", of: first) == .prepare(statement: 1, afterSync: false))
    #expect(machine.submit("b", of: first) == .execute(statement: 1))
    #expect(machine.submit("c", of: second) == .prepare(statement: 2, afterSync: true))
    #expect(machine.submit("d", of: second) == .execute(statement: 2))
    #expect(machine.sync() == true)
    #expect(machine.sync() == false)
  }

  @Test func `operations are settled when their Sync is answered, together`() {
    var machine = prepared(["a", "b"])
    #expect(Reaction(machine.received(.succeeded)) == .decode("a"))
    #expect(Reaction(machine.received(.end)) == .none)
    #expect(Reaction(machine.received(.succeeded)) == .decode("b"))
    #expect(Reaction(machine.received(.end)) == .none)
    #expect(machine.isIdle == false)
    #expect(Reaction(machine.received(.synced)) == .settle(["a": .succeeded, "b": .succeeded]))
    #expect(machine.isIdle == true)
  }

  @Test func `one that fails fails alone, and those behind it were not run`() {
    var machine = prepared(["a", "b", "c"])
    #expect(
      machine.transcript(.succeeded, .end, .failed(refusal), .end, .aborted, .end, .synced).last
        == .settle(["a": .succeeded, "b": .failed(refusal), "c": .notRun]))
  }

  @Test func `a commit that fails after its statement succeeded has failed`() {
    var machine = prepared(["a"])
    #expect(
      machine.transcript(.succeeded, .end, .failed(refusal), .end, .synced).last
        == .settle(["a": .failed(refusal)]))
  }

  @Test func `a warning makes what succeeded doubtful, once`() {
    var machine = prepared(["a", "b"])
    machine.warned("canceled")
    machine.warned("again")
    #expect(
      machine.transcript(.succeeded, .end, .failed(refusal), .end, .synced).last
        == .settle(["a": .doubtful("canceled"), "b": .failed(refusal)]))
    _ = machine.submit("c", of: first)
    _ = machine.sync()
    #expect(machine.transcript(.succeeded, .end, .synced).last == .settle(["c": .succeeded]))
  }

  @Test
  func
    `a statement that cannot be prepared says why, also to those already on their way, and is tried again`()
  {
    var machine = Machine()
    let unknown = PostgresError.server(.invalidStatementName, message: "?", constraint: nil, detail: nil)
    let missing = PostgresError.server(.undefinedTable, message: "no table", constraint: nil, detail: nil)
    _ = machine.submit("a", of: first)
    _ = machine.sync()
    _ = machine.submit("b", of: first)
    _ = machine.sync()
    #expect(machine.transcript(.failed(missing), .end, .synced).last == Reaction.none)
    #expect(machine.transcript(.failed(unknown), .end, .synced).last == .settle(["a": .failed(missing)]))
    #expect(machine.submit("c", of: first) == .prepare(statement: 2, afterSync: false))
    _ = machine.sync()
    #expect(machine.transcript(.failed(unknown), .end, .synced).last == .settle(["b": .failed(missing)]))
    #expect(
      machine.transcript(.succeeded, .end, .synced, .succeeded, .end, .synced).last
        == .settle(["c": .succeeded]))
  }

  @Test(arguments: [SQLState.invalidStatementName, .featureNotSupported])
  func `a statement that the server forgot is prepared again at its next use`(state: SQLState) {
    var machine = prepared(["a"])
    let error = PostgresError.server(state, message: "stale", constraint: nil, detail: nil)
    #expect(machine.transcript(.failed(error), .end, .synced).last == .settle(["a": .failed(error)]))
    #expect(machine.submit("b", of: first) == .prepare(statement: 2, afterSync: false))
  }

  @Test func `everything that was sent is lost with the connection, and nothing can be sent after`() {
    var machine = prepared(["a", "b", "c"])
    _ = machine.transcript(.succeeded, .end, .succeeded)
    let lost = machine.lost(.timedOut)
    #expect(lost.map(\.0) == ["a", "b", "c"])
    #expect(lost.allSatisfy { $0.1 == .lost(.timedOut) })
    #expect(machine.submit("d", of: first) == nil)
    #expect(machine.sync() == false)
    #expect(machine.lost(.timedOut).count == 0)
    #expect(machine.isIdle == true)
  }

  @Test func `the deadline is that of the oldest operation that has one`() {
    var machine = Machine()
    #expect(machine.deadline == nil)
    _ = machine.submit("a", of: first, deadline: 10)
    _ = machine.submit("b", of: first, deadline: 20)
    _ = machine.sync()
    _ = machine.submit("c", of: first, deadline: 30)
    _ = machine.sync()
    #expect(machine.deadline == 10)
    _ = machine.transcript(.succeeded, .end, .synced, .succeeded, .end, .succeeded, .end, .synced)
    #expect(machine.deadline == 30)
    _ = machine.transcript(.succeeded, .end, .synced)
    #expect(machine.deadline == nil)
  }

  @Test(arguments: [
    [PipelineMachine<String>.Reply.synced], [.aborted, .succeeded], [.succeeded, .succeeded],
    [.succeeded, .end, .succeeded],
  ])
  func `an answer that fits nothing drops the connection`(replies: [Machine.Reply]) {
    var machine = prepared(["a"])
    var reactions: [Reaction] = []
    for reply in replies { reactions.append(Reaction(machine.received(reply))) }
    #expect(reactions.last == .drop)
  }

  @Test func `an answer to nothing drops the connection, an end of nothing does not matter`() {
    var machine = Machine()
    #expect(Reaction(machine.received(.end)) == .none)
    #expect(Reaction(machine.received(.succeeded)) == .drop)
  }

  /// A machine that has sent these with a statement it prepared before.
  private func prepared(_ operations: [String]) -> Machine {
    var machine = Machine()
    _ = machine.submit("warm-up", of: first)
    _ = machine.sync()
    _ = machine.transcript(.succeeded, .end, .synced, .succeeded, .end, .synced)
    for operation in operations { _ = machine.submit(operation, of: first) }
    _ = machine.sync()
    return machine
  }
}

/// An action that can be compared.
enum Reaction: Equatable {
  case none
  case decode(String)
  case settle([String: Verdict])
  case drop

  init(_ action: PipelineMachine<String>.Action) {
    switch action {
    case .none: self = .none
    case .decode(let operation): self = .decode(operation)
    case .settle(let group): self = .settle(Dictionary(uniqueKeysWithValues: group.map { ($0.0, $0.1) }))
    case .drop: self = .drop
    }
  }
}

extension PipelineMachine<String> {
  mutating func transcript(_ replies: Reply...) -> [Reaction] {
    var reactions: [Reaction] = []
    for reply in replies { reactions.append(Reaction(received(reply))) }
    return reactions
  }
}
