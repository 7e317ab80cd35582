import Reactor

/// A thread that may wait for name servers, so that no loop has to.
enum NameResolver {
  // A loop of its own: it does nothing else, and lives as long as the process.
  private static let thread = try? EventLoopGroup(count: 1, name: "resolver")

  /// Looks up the hosts, and answers on that thread.
  static func resolve(
    _ configuration: PostgresConfiguration, from first: Int,
    _ answer: @escaping @Sendable (Result<[PostgresConfiguration.Candidate], PostgresError>) -> Void
  ) {
    guard let loop = thread?.loops.first else { return answer(.failure(.unavailable("no thread for names"))) }
    loop.submit { _ in
      answer(Result { () throws(PostgresError) in try configuration.candidates(from: first) })
    }
  }
}
