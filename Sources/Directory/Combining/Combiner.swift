public import Reactor

/// Group commit: one batch is away, and whoever comes meanwhile goes into the next one together.
///
/// The waiters pass the lead on, so that no task is loose: the first caller takes its own request to the database; those
/// that come while it is away queue; the first of them leads the next batch. Each waits on its own loop and goes on
/// there.
///
/// A batch costs much beside what each request in it does. Behind a crowd, therefore, the next one does not leave at
/// once: it waits until as many have gathered as were there before, for ten to twenty milliseconds at most.
public final class Combiner<Batches: Combinable>: Sendable {
  /// More would hold the locks of the batch for longer than its waiters gain.
  public static var largestBatch: Int { 512 }
  /// Fewer than this are not made to wait for each other.
  static var crowd: Int { 8 }
  /// So many are enough: twice as many would make each of them cheaper by a hundredth.
  static var plenty: Int { 256 }

  fileprivate enum Turn: Sendable {
    case lead
    case done(Result<Batches.Answer, Batches.Failure>)
  }

  // An object: a queue of them moves for little, however much a request holds.
  fileprivate final class Waiter: Sendable {
    let request: Batches.Request
    let turn: CheckedContinuation<Turn, Never>

    init(_ request: Batches.Request, _ turn: CheckedContinuation<Turn, Never>) {
      self.request = request
      self.turn = turn
    }
  }

  fileprivate enum Stage {
    case idle
    /// A batch is with the database, or its leader is about to take it there.
    case away
    /// The next batch leaves when this many wait, or when the timer says so.
    case gathering(enough: Int, number: UInt64)
  }

  fileprivate struct State {
    var stage = Stage.idle
    var waiting: [Waiter] = []
    var gatherings: UInt64 = 0
  }

  private let batches: Batches
  private let loops: [EventLoop]
  private let patience: Duration
  private let state = Lock(State())

  /// - Parameters:
  ///   - loops: those that callers run on.
  ///   - patience: how long a crowd gathers at most, but for the tick of a loop's timers.
  public init(_ batches: Batches, on loops: [EventLoop], patience: Duration = .milliseconds(10)) {
    precondition(!loops.isEmpty, "whoever waits needs a loop")
    self.batches = batches
    self.loops = loops
    self.patience = patience
  }

  /// How many requests wait for the next batch.
  public var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// The answer to one request, decided together with whatever else is waiting.
  public func decide(_ mine: Batches.Request) async throws(Batches.Failure) -> Batches.Answer {
    let loop = loops.first { $0.isCurrent } ?? loops[0]
    if case .done(let result) = await turn(of: mine, on: loop) { return try result.get() }
    let others = takeBatch(besides: batches.subject(of: mine))
    let answers = await batches.answers(to: [mine] + others.map(\.request))
    for (index, other) in others.enumerated() { other.turn.resume(returning: .done(answers[index + 1])) }
    finish(batchOf: answers.count, on: loop)
    return try answers[0].get()
  }

  private func turn(of request: Batches.Request, on loop: EventLoop) async -> Turn {
    if begin() { return .lead }
    return await loop.suspend { turn in
      let lead = state.withLock { state -> CheckedContinuation<Turn, Never>? in
        // The batch that was away may be back by now.
        if case .idle = state.stage {
          state.stage = .away
          return turn
        }
        state.waiting.append(Waiter(request, turn))
        guard case .gathering(let enough, _) = state.stage, state.waiting.count >= enough else { return nil }
        return state.nextLeader()
      }
      lead?.resume(returning: .lead)
    }
  }

  private func begin() -> Bool {
    state.withLock { state in
      guard case .idle = state.stage else { return false }
      state.stage = .away
      return true
    }
  }

  /// Those who wait, at most one of each subject.
  private func takeBatch(besides leader: Batches.Subject) -> [Waiter] {
    state.withLock { state in
      var batch: [Waiter] = []
      var rest: [Waiter] = []
      var subjects: Set<Batches.Subject> = [leader]
      for waiter in state.waiting {
        if batch.count + 1 < Self.largestBatch, subjects.insert(batches.subject(of: waiter.request)).inserted
        {
          batch.append(waiter)
        } else {
          rest.append(waiter)
        }
      }
      state.waiting = rest
      return batch
    }
  }

  /// A batch is back: the next one leaves, now or when enough have gathered.
  private func finish(batchOf count: Int, on loop: EventLoop) {
    let (lead, number) = state.withLock { state -> (CheckedContinuation<Turn, Never>?, UInt64?) in
      let present = count + state.waiting.count
      // Also when nobody waits at this moment: the first to come back would leave alone, and the rest behind it.
      guard present >= Self.crowd, state.waiting.count < Self.plenty else {
        return (state.nextLeader(), nil)
      }
      state.gatherings += 1
      state.stage = .gathering(enough: min(present, Self.plenty), number: state.gatherings)
      return (nil, state.gatherings)
    }
    lead?.resume(returning: .lead)
    if let number {
      loop.submit { [patience] loop in loop.schedule(after: patience) { _ in self.gathered(number) } }
    }
  }

  /// The time is over in which those of this gathering could come.
  private func gathered(_ number: UInt64) {
    let lead = state.withLock { state -> CheckedContinuation<Turn, Never>? in
      guard case .gathering(_, number) = state.stage else { return nil }
      return state.nextLeader()
    }
    lead?.resume(returning: .lead)
  }
}

extension Combiner.State {
  /// Whoever waits longest takes the next batch; nil when nobody waits.
  fileprivate mutating func nextLeader() -> CheckedContinuation<Combiner.Turn, Never>? {
    stage = waiting.isEmpty ? .idle : .away
    return waiting.isEmpty ? nil : waiting.removeFirst().turn
  }
}
