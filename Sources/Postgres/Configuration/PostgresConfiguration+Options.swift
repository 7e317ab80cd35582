import Reactor
import Telemetry

extension PostgresConfiguration {
  /// One address of one host: what a single attempt goes to.
  struct Candidate: Sendable, Equatable {
    let host: Host
    /// In numbers; nil for a Unix socket.
    let address: String?
  }

  /// The addresses of all hosts in order, beginning with the host `first`. It may ask a name server, and block.
  func candidates(from first: Int) throws(PostgresError) -> [Candidate] {
    var candidates: [Candidate] = []
    var problem = "the configuration names no host"
    for index in hosts.indices {
      let host = hosts[(first + index) % hosts.count]
      if host.isSocketFolder {
        candidates.append(Candidate(host: host, address: nil))
        continue
      }
      do throws(SystemError) {
        candidates += try SocketAddress.resolve(host.name, port: host.port).map {
          Candidate(host: host, address: $0.host)
        }
      } catch { problem = "\(error)" }
    }
    guard !candidates.isEmpty else { throw .unavailable(problem) }
    return candidates
  }

  /// Whether `candidates` has to ask a name server.
  var needsNameServer: Bool {
    hosts.contains {
      !$0.isSocketFolder && $0.name != "localhost" && SocketAddress($0.name, port: $0.port) == nil
    }
  }

  /// What libpq is told. Everything that matters is said, so that no `PG…` variable of the environment decides it.
  func options(for candidate: Candidate) -> [(keyword: String, value: String)] {
    var options: [(keyword: String, value: String)] = [
      ("host", candidate.host.name),
      ("port", "\(candidate.host.port)"),
      ("application_name", applicationName),
      ("client_encoding", "UTF8"),
      ("target_session_attrs", targetSession.rawValue),
      // A dead network is noticed: while idle after 30 s, with unacknowledged data after two operation time-outs.
      ("keepalives", "1"),
      ("keepalives_idle", "15"),
      ("keepalives_interval", "5"),
      ("keepalives_count", "3"),
      ("tcp_user_timeout", "\(2 * operationTimeout.milliseconds)"),
      ("gssencmode", "disable"),
      ("options", ""),
    ]
    if let address = candidate.address { options.append(("hostaddr", address)) }
    if let user { options.append(("user", user)) }
    if let database { options.append(("dbname", database)) }
    if let password = password?.revealedText() { options.append(("password", password)) }
    if tlsOptions["sslmode"] == nil { options.append(("sslmode", "prefer")) }
    for (keyword, value) in tlsOptions { options.append((keyword, value)) }
    return options
  }

  /// The settings of a session in one role, as the server names them.
  func settings(for role: PostgresConnection.Role) -> [(name: String, value: String)] {
    let isSession = role == .session
    return [
      // What a session of one's own runs may take long: a migration builds indexes.
      ("statement_timeout", isSession ? "0" : "\(statementTimeout.milliseconds)"),
      ("lock_timeout", "\(lockTimeout.milliseconds)"),
      ("idle_in_transaction_session_timeout", isSession ? "0" : "\(idleInTransactionTimeout.milliseconds)"),
      // A look-up that is repeated after a lost connection must not have changed anything.
      ("default_transaction_read_only", role == .lookups ? "on" : "off"),
      // Statements find rows by key. Prepared while a table was small, they must not read all of it when it is large.
      ("enable_seqscan", isSession ? "on" : "off"),
      // Compiling a short statement costs more than running it.
      ("jit", "off"),
    ]
  }
}

extension Duration {
  var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}

/// Gives a new session its settings, in one round trip.
struct SessionSetup: Statement {
  let settings: [(name: String, value: String)]

  static var sql: StaticString {
    "SELECT set_config(s.name, s.value, false) FROM unnest($1::text[], $2::text[]) AS s(name, value)"
  }

  func bind(_ parameters: inout Parameters) {
    parameters.append(settings.map(\.name))
    parameters.append(settings.map(\.value))
  }

  static func row(_ columns: borrowing Columns) throws(PostgresError) {}
}
