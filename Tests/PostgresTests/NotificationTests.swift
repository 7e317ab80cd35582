import Fixtures
import Reactor
import Testing

@testable import Postgres

@Suite struct NotificationTests {
  @Test func `a notification is a hint, and so is every new connection`() async throws {
    var configuration = try await TestCluster.shared.database()
    configuration.applicationName = "listener"
    let group = try EventLoopGroup(count: 1, name: "test")
    let (hints, continuation) = AsyncStream.makeStream(of: Void.self)
    let listener = NotificationListener(configuration, channel: "hint", on: group.loops[0]) {
      continuation.yield()
    }
    _ = await hints.first { true }
    configuration.applicationName = "usher"
    try await Fixture.withClient(configuration) { client async throws in
      _ = try await client.commit(Notify())
      _ = await hints.first { true }
      #expect(try await client.commit(EndSessions(application: "listener")).count == 1)
      _ = await hints.first { true }
      _ = try await client.commit(Notify())
      _ = await hints.first { true }
    }
    await listener.close()
    group.shutdown()
  }
}
