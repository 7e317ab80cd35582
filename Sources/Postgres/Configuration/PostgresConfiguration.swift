public import Telemetry

/// Where the database is, who we are to it, and how long anything may take.
public struct PostgresConfiguration: Sendable {
  /// One server, or one address of a cluster.
  public struct Host: Sendable, Hashable {
    /// A name, an IPv4 or IPv6 address, or the folder of a Unix socket when it begins with `/`.
    public var name: String
    public var port: UInt16

    public init(name: String, port: UInt16 = 5432) {
      self.name = name
      self.port = port
    }

    var isSocketFolder: Bool { name.hasPrefix("/") }
  }

  /// Which of the hosts will do.
  public enum TargetSession: String, Sendable, CaseIterable {
    case any
    case readWrite = "read-write"
    case primary
  }

  /// Tried in this order, from the one that worked last.
  public var hosts: [Host]
  /// nil is the name of the OS user.
  public var user: String?
  /// nil is the name of the user.
  public var database: String?
  public var password: Secret?
  public var targetSession = TargetSession.readWrite
  /// libpq's own options (`sslmode`, `sslrootcert`, …) as the URL gave them.
  public var tlsOptions: [String: String] = [:]
  /// What `pg_stat_activity` shows.
  public var applicationName = "usher"

  /// Connections for look-ups on each event loop; any number of look-ups share one.
  public var readConnectionsPerLoop = 1
  /// Connections for commits and transactions, over all loops; each serves one at a time.
  public var writeConnections = 8

  /// For one attempt at one address.
  public var connectTimeout = Duration.seconds(3)
  /// From the call to the answer of a look-up, a commit, or one statement of a transaction. After it the connection is
  /// dropped, because the server may be stopped, or gone behind a dead network.
  public var operationTimeout = Duration.seconds(5)
  /// How long a call waits for a connection before it gives up.
  public var acquireTimeout = Duration.seconds(2)
  /// The server's `statement_timeout`; somewhat below `operationTimeout`, so that a slow statement costs no connection.
  public var statementTimeout = Duration.seconds(4)
  /// The server's `lock_timeout`.
  public var lockTimeout = Duration.seconds(3)
  /// The server's `idle_in_transaction_session_timeout`.
  public var idleInTransactionTimeout = Duration.seconds(5)

  public init(hosts: [Host], user: String? = nil, database: String? = nil, password: Secret? = nil) {
    self.hosts = hosts
    self.user = user
    self.database = database
    self.password = password
  }
}
