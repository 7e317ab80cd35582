internal import Reactor

/// Ctrl-C while something runs that has to be cleaned up after.
enum Interruption {
  /// Runs `body`; on SIGINT, SIGTERM or SIGHUP `stop` is called, which must make it end.
  static func watch<Value: Sendable>(
    _ stop: @escaping @Sendable () -> Void, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let group = try EventLoopGroup(count: 1, name: "signals")
    defer { group.shutdown() }
    let signals = try await ProcessSignals.catchAll(on: group.loops[0])
    return try await withThrowingTaskGroup(of: Value?.self) { tasks in
      tasks.addTask { try await body() }
      tasks.addTask {
        for await _ in signals { stop() }
        return nil
      }
      defer { tasks.cancelAll() }
      while let value = try await tasks.next() { if let value { return value } }
      throw CancellationError()
    }
  }
}
