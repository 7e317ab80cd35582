import Reactor
import Testing

@Suite struct ProcessSignalsTests {
  @Test func `signals of this process are elements of a sequence`() async throws {
    let group = try EventLoopGroup(count: 1, name: "signals")
    defer { group.shutdown() }
    var signals = try await ProcessSignals.catchAll(on: group.loops[0]).makeAsyncIterator()
    for signal in ProcessSignal.allCases {
      _ = try await ChildProcess.run(
        .init("sh", ["-c", "kill -\(signal.rawValue) $PPID"]), on: group.loops[0])
      #expect(await signals.next() == signal)
    }
  }
}
