import Glibc
public import Reactor
public import Telemetry

/// A private PostgreSQL in a folder, over a Unix socket that nobody else can enter: what `usher dev` and the tests run on.
///
/// Its processes outlive us when we are killed; the next start on the same folder finds and adopts them. Any other
/// PostgreSQL on the machine is left alone.
public actor PostgresCluster {
  /// What survives.
  public enum Durability: Sendable {
    /// Every commit, even when the machine loses its power.
    case full
    /// Every commit while the machine runs, unless the server is killed: for tests that do not do that.
    case relaxed
  }

  public struct Options: Sendable {
    public var durability = Durability.full
    /// How many connections the server accepts.
    public var connections = 100
    /// More settings, named as in postgresql.conf.
    public var settings: [String: String] = [:]

    public init() {}
  }

  /// The role that owns everything.
  public static let user = "usher"
  /// The database that a new cluster has.
  public static let database = "usher"

  /// The folder of the socket.
  public nonisolated let socketFolder: String

  /// How to connect; there is no secret in it, because whoever may enter the socket's folder is trusted.
  public nonisolated var url: String { url(database: Self.database) }

  /// How to connect to another database of the cluster.
  public nonisolated func url(database: String) -> String {
    "postgres://\(Self.user)@/\(database)?host=\(socketFolder)"
  }

  private let launcher: ServerLauncher
  /// The folder is ours while this descriptor is open.
  private var lock: Descriptor?
  private let logger: Logger
  private var server: ChildProcess
  private var isStopping = false
  private var parked: CheckedContinuation<Void, Never>?

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    // SAFETY: the cluster keeps its loop, and the loop its executor.
    unsafe launcher.loop.unownedExecutor
  }

  private init(
    _ launcher: ServerLauncher, lock: consuming Descriptor, socketFolder: String, server: ChildProcess,
    logger: Logger
  ) {
    self.launcher = launcher
    self.lock = consume lock
    self.socketFolder = socketFolder
    self.server = server
    self.logger = logger
  }

  /// Starts the cluster in `folder`, which is made if need be, or adopts it when it runs; returns when it accepts
  /// connections. Then somebody must `run` it, or at least `stop` it.
  ///
  /// `environment` is where `PATH` and `XDG_RUNTIME_DIR` are looked up.
  public static func start(
    in folder: String, options: Options = Options(), environment: [String: String], logger: Logger,
    on loop: EventLoop
  ) async throws(ClusterError) -> PostgresCluster {
    let account = try ServerAccount.current()
    let folder = try ClusterFolder(preparing: folder)
    let lock = try await lock(folder, on: loop)
    let installation = try await installation(for: folder, environment, on: loop)
    if try folder.madeBy == nil {
      logger.info("making a PostgreSQL cluster", ["folder": LogValue(folder.data)])
      let creation = ClusterCreation(
        folder: folder, installation: installation, account: account, isSynced: options.durability == .full,
        loop: loop)
      try await creation.run()
    }

    let orphan = await ServerLauncher.orphan(of: folder, on: loop)
    let runtimeFolder = account.isOther ? "/run" : environment["XDG_RUNTIME_DIR"]
    let socketFolder = orphan?.socketFolder ?? folder.socketFolder(runtimeFolder: runtimeFolder)
    let launcher = ServerLauncher(
      folder: folder, installation: installation, account: try await account.reaching(folder.data, on: loop),
      options: options, socketFolder: socketFolder, loop: loop)
    let server: ChildProcess
    if let orphan {
      logger.info("adopting the PostgreSQL that runs", ["pid": LogValue(orphan.server.processID)])
      server = orphan.server
      try await launcher.waitUntilReady(server)
    } else {
      server = try await launcher.launch()
      logger.info("PostgreSQL runs", ["pid": LogValue(server.processID), "socket": LogValue(socketFolder)])
    }
    return PostgresCluster(
      launcher, lock: lock, socketFolder: socketFolder, server: server, logger: logger)
  }

  /// How often, a tenth of a second apart, the lock is asked for: an owner that was killed may have left it to a process
  /// that it was about to start.
  private static let lockAttempts = 30

  private static func lock(
    _ folder: ClusterFolder, on loop: EventLoop
  ) async throws(ClusterError) -> Descriptor {
    for _ in 0..<lockAttempts {
      let lock: Descriptor?
      do throws(SystemError) { lock = try Files.lock(folder.lock) } catch {
        throw .unwritable(folder.path, reason: "\(error)")
      }
      if let lock { return lock }
      do throws(CancellationError) { try await loop.sleep(for: .milliseconds(100)) } catch { break }
    }
    throw .inUse(folder.path)
  }

  private static func installation(
    for folder: ClusterFolder, _ environment: [String: String], on loop: EventLoop
  ) async throws(ClusterError) -> Installation {
    let path = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    let installed = await Installation.all(path: path, on: loop)
    guard let newest = installed.first else { throw .notInstalled }
    guard let made = try folder.madeBy else { return newest }
    guard let same = installed.first(where: { $0.major == made }) else {
      throw .otherVersion(folder.data, made: made, installed: installed.map(\.major))
    }
    return same
  }

  /// The process id of the server.
  public var processID: Int32 { server.processID }

  /// Keeps the server running until the task is cancelled, then stops it: one that crashed is started again, one that
  /// somebody stopped by hand is not.
  public func run() async {
    await withTaskCancellationHandler {
      await supervise()
    } onCancel: {
      self.launcher.loop.submit { _ in self.assumeIsolated { $0.beginToStop() } }
    }
    await stop()
  }

  /// Stops the server, and returns when it has ended and the folder is free for another start.
  public func stop() async {
    beginToStop()
    await ServerLauncher.end(server)
    Files.removeFolder(socketFolder)
    lock = nil
  }

  private func beginToStop() {
    isStopping = true
    parked.take()?.resume()
    ServerLauncher.beginToEnd(server)
  }

  private func supervise() async {
    while !isStopping {
      // Not for longer: one that does not end although it should is dealt with by `stop`.
      guard let status = await server.waitForExit(within: .seconds(1)) else { continue }
      if isStopping { return }
      if isByHand(status) {
        logger.warning("PostgreSQL was stopped by hand, and stays so")
        return await withCheckedContinuation { parked = $0 }
      }
      logger.error("PostgreSQL has crashed", ["status": LogValue(status)])
      await restart()
    }
  }

  /// A server that shuts down in order returns 0, or, of one that is not our child, removes its file.
  private func isByHand(_ status: ChildProcess.ExitStatus) -> Bool {
    status.isSuccess || status == .unknown && launcher.folder.postmaster == nil
  }

  private func restart() async {
    var rest = Duration.milliseconds(50)
    while !isStopping {
      do throws(ClusterError) {
        server = try await launcher.launch()
        if isStopping { ServerLauncher.beginToEnd(server) }
        return logger.info("PostgreSQL runs again", ["pid": LogValue(server.processID)])
      } catch {
        // Such as its own processes that have not noticed yet that it is gone.
        logger.warning("PostgreSQL does not start again yet", ["reason": LogValue(error)])
        try? await launcher.loop.sleep(for: rest)
        rest = min(rest * 2, .seconds(5))
      }
    }
  }
}
