import Directory
import Fixtures
import Licensing
import LocalCluster
import Postgres
import Reactor
import Testing

@testable import Store

/// Many at once, through two servers, while PostgreSQL is killed and connections are cut: what everyone was told must be
/// what one after the other would have been told.
@Suite(.timeLimit(.minutes(15))) struct SeatHistoryTests {
  @Test(arguments: [
    [SeatCall(.claim, .granted(1), 0, 1), SeatCall(.claim, .granted(2), 2, 3)],
    [SeatCall(.claim, .granted(1), 0, 1), SeatCall(.claim, .refused, 2, 3)],
    [SeatCall(.release, .released, 0, 1), SeatCall(.renew(1), .renewed(1), 2, 3)],
    [SeatCall(.claim, .granted(1), 0, 1), SeatCall(.renew(1), .lost, 2, 3)],
    [
      SeatCall(.claim, .granted(1), 0, 1), SeatCall(.release, .unknown, 5, 6),
      SeatCall(.look, .found(nil), 2, 3),
    ],
    [
      SeatCall(.claim, .granted(2), 0, 1), SeatCall(.release, .released, 2, 3),
      SeatCall(.claim, .granted(1), 4, 5),
    ],
    [
      SeatCall(.claim, .granted(1), 0, 1), SeatCall(.release, .released, 2, 3),
      SeatCall(.claim, .unknown, 4, 5), SeatCall(.claim, .renewed(1), 6, 7),
    ],
  ])
  func `what cannot be is not explained`(calls: [SeatCall]) {
    #expect(SeatHistory(calls).explanation() == nil)
  }

  @Test(arguments: [
    [SeatCall(.claim, .granted(1), 0, 5), SeatCall(.claim, .refused, 2, 3)],
    [SeatCall(.claim, .unknown, 0, 1), SeatCall(.claim, .renewed(4), 2, 3)],
    [
      SeatCall(.claim, .granted(1), 0, 1), SeatCall(.release, .unknown, 2, 3),
      SeatCall(.renew(1), .renewed(1), 4, 5),
      SeatCall(.renew(1), .lost, 6, 7), SeatCall(.look, .found(nil), 8, 9),
    ],
  ])
  func `what may be is explained`(calls: [SeatCall]) throws {
    #expect(try #require(SeatHistory(calls).explanation()).count >= calls.count { $0.answer != .unknown })
  }

  @Test func `a hold is sure only until a release that may have been done`() throws {
    let calls = [
      SeatCall(.claim, .granted(1), 0, 1), SeatCall(.release, .unknown, 4, 5),
      SeatCall(.release, .released, 20, 21),
    ]
    let history = SeatHistory(calls)
    let holds = history.holds(in: try #require(history.explanation()))
    #expect(holds.map(\.sure) == [1..<4] && holds.map(\.possible.upperBound) == [21])
  }

  @Test func `a hold is sure for as long as its generation is found, whatever became of a release`() throws {
    let calls = [
      SeatCall(.release, .unknown, 0, 1), SeatCall(.claim, .granted(1), 2, 3),
      SeatCall(.renew(1), .renewed(1), 8, 9), SeatCall(.release, .released, 20, 21),
      SeatCall(.claim, .unknown, 30, 31), SeatCall(.claim, .renewed(2), 35, 36),
      SeatCall(.look, .found(2), 50, 51),
    ]
    let history = SeatHistory(calls)
    let holds = history.holds(in: try #require(history.explanation()))
    #expect(holds.map(\.sure) == [3..<8, 36..<50])
    #expect(holds.map(\.possible) == [2..<21, 30..<Int64.max])
  }

  @Test func `a seat that was found while it was released is not taken for the one after it`() throws {
    let calls = [
      SeatCall(.claim, .granted(1), 0, 1), SeatCall(.release, .released, 2, 8),
      SeatCall(.renew(1), .renewed(1), 3, 20), SeatCall(.claim, .unknown, 9, 10),
      SeatCall(.claim, .renewed(2), 30, 31),
    ]
    let history = SeatHistory(calls)
    let holds = history.holds(in: try #require(history.explanation()))
    #expect(holds.map(\.sure) == [1..<3, 31..<Int64.max])
  }

  @Test(arguments: [0, 3])
  func `a release that was under way when a seat was granted ends it, or does not`(start: Int64) throws {
    let calls = [
      SeatCall(.release, .released, start, 10), SeatCall(.claim, .granted(1), 2, 4),
      SeatCall(.release, .released, 20, 21),
    ]
    let history = SeatHistory(calls)
    let holds = history.holds(in: try #require(history.explanation()))
    #expect(holds.count == 1 && holds[0].sure.isEmpty && holds[0].possible == 2..<21)
  }

  private static let seats = 5
  private static let people = 24
  private static let operations = 20_000

  @Test func `twenty thousand operations over crashes and cut connections are as if one after the other`()
    async throws
  {
    let group = try EventLoopGroup(count: 2, name: "history")
    var options = PostgresCluster.Options()
    // The server is killed, but not the machine, which keeps what it wrote.
    options.durability = .relaxed
    options.settings = ["synchronous_commit": "on"]
    let server = try await DisposableCluster(options: options, on: group.loops[0])
    let supervision = Task { await server.cluster.run() }
    let configuration = try PostgresConfiguration(url: server.cluster.url)
    try await TestStore.withClient(configuration) { one in
      try await TestStore.withClient(configuration) { other in
        try await Migrator(one).migrate()
        let office = try await Office(in: TestStore(one), seats: Int32(Self.seats), people: Self.people)
        let combiners = zip([one, other], group.loops).map { client, loop in
          SeatCombiner(
            organization: office.organization.record.key, product: office.product.record.key,
            on: [loop], store: StoreSeats(client))
        }
        let calls = try await record(office, combiners, server, group)
        try await check(calls, office)
      }
    }
    supervision.cancel()
    await supervision.value
    group.shutdown()
  }

  /// Everyone asks, each through both servers at once, until there are enough answers; now and then something breaks.
  private func record(
    _ office: Office, _ combiners: [SeatCombiner], _ server: DisposableCluster, _ group: EventLoopGroup
  ) async throws -> [[SeatCall]] {
    let answers = Lock(0)
    return try await withThrowingTaskGroup(of: (Int, [SeatCall]).self) { tasks in
      for person in 0..<Self.people {
        for (index, combiner) in combiners.enumerated() {
          let identity = office.people[person].record.key
          let random = SplitMix(seed: UInt64(person * 2 + index))
          tasks.addTask {
            let calls = try await Self.calls(of: identity, to: combiner, random, answers) { fault in
              try await Self.damage(fault, server, on: group.loops[0])
            }
            return (person, calls)
          }
        }
      }
      return try await tasks.reduce(into: Array(repeating: [], count: Self.people)) { $0[$1.0] += $1.1 }
    }
  }

  private static func calls(
    of identity: Key<Identity>, to combiner: SeatCombiner, _ seed: SplitMix, _ answers: Lock<Int>,
    damage: (Int) async throws -> Void
  ) async throws -> [SeatCall] {
    var random = seed
    var calls: [SeatCall] = []
    var last: Int64 = 0
    while answers.withLock({ $0 }) < operations {
      let question: SeatCall.Question =
        switch random.next() % 4 {
        case 0: .release
        case 1: .renew(last)
        default: .claim
        }
      let start = MonotonicInstant.now.nanoseconds
      let answer: SeatCall.Answer
      do throws(StorageError) {
        let outcome = try await combiner.decide(
          SeatRequest(
            identity: identity, operation: question.operation, isBelievedHeld: random.next().isMultiple(of: 2)
          ))
        answer = outcome.answer
        last = outcome.seat?.generation ?? last
      } catch {
        // What was not done is no part of the history; a fault would be one of ours.
        guard case .outcomeUnknown = error else {
          if case .unavailable = error { continue }
          throw error
        }
        answer = .unknown
      }
      calls.append(SeatCall(question, answer, start, MonotonicInstant.now.nanoseconds))
      let count = answers.withLock {
        $0 += 1
        return $0
      }
      let (fault, rest) = count.quotientAndRemainder(dividingBy: operations / 8)
      if rest == 0, fault < 8 { try await damage(fault) }
    }
    return calls
  }

  /// Cuts every connection, or kills PostgreSQL, in turn.
  private static func damage(_ fault: Int, _ server: DisposableCluster, on loop: EventLoop) async throws {
    let script =
      fault % 3 == 0
      ? #"kill -KILL "$0"; pkill -KILL -P "$0"; true"#
      : #"pkill -TERM -P "$0" -f "client backend|idle|SELECT"; true"#
    let process = await "\(server.cluster.processID)"
    let completed = try await ChildProcess.run(.init("sh", ["-c", script, process]), on: loop)
    #expect(completed.status.isSuccess)
  }

  private func check(_ calls: [[SeatCall]], _ office: Office) async throws {
    var holds: [SeatHistory.Hold] = []
    for (person, calls) in calls.enumerated() {
      let now = MonotonicInstant.now.nanoseconds
      let row = try await office.store.client.read(
        HeldSeat(
          organization: office.organization.record.key, product: office.product.record.key,
          identity: office.people[person].record.key)
      ).first
      let history = SeatHistory(calls + [SeatCall(.look, .found(row?.generation), now, now + 1)])
      let order = history.explanation()
      #expect(order != nil, "person \(person): \(calls.count) calls")
      holds += history.holds(in: order ?? [])
    }
    let sure = holds.map(\.sure).filter { !$0.isEmpty }
    #expect(sure.count > 100, "too little is sure to say anything")
    #expect(Occupancy(sure).most <= Self.seats, "more held seats than there are")
    // Whoever was refused: at some time meanwhile all may have been taken.
    let possible = Occupancy(holds.map(\.possible))
    let all = calls.joined()
    let refused = all.filter { $0.answer == .refused }
    #expect(refused.allSatisfy { possible.most(in: $0.start...$0.end) >= Self.seats })
    let generations = all.compactMap { if case .granted(let new) = $0.answer { new } else { nil } }
    #expect(Set(generations).count == generations.count, "a generation was granted twice")
    #expect(all.count >= Self.operations && refused.count > 100 && generations.count > 100)
    print(
      "history: \(all.count) calls, \(generations.count) granted (\(sure.count) surely held, "
        + "\(Occupancy(sure).most) at once), \(refused.count) refused, "
        + "\(all.count { $0.answer == .unknown }) without an answer")
  }
}

extension SeatCall.Question {
  fileprivate var operation: SeatRequest.Operation {
    switch self {
    case .claim, .look: .claim
    case .renew(let generation): .renew(generation: generation)
    case .release: .release
    }
  }
}

extension SeatOutcome {
  fileprivate var answer: SeatCall.Answer {
    switch self {
    case .granted(let seat): .granted(seat.generation)
    case .renewed(let seat): .renewed(seat.generation)
    case .released: .released
    case .refused(let refusal): refusal.reason == .leaseLost ? .lost : .refused
    }
  }
}
