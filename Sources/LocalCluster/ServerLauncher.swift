import Glibc
import Reactor

/// Starts the server of a cluster, finds one that runs already, and ends it.
struct ServerLauncher: Sendable {
  let folder: ClusterFolder
  let installation: Installation
  let account: ServerAccount
  let options: PostgresCluster.Options
  let socketFolder: String
  let loop: EventLoop

  /// A server that runs in the folder, left behind by a process of ours that was killed.
  static func orphan(
    of folder: ClusterFolder, on loop: EventLoop
  ) async -> (server: ChildProcess, socketFolder: String)? {
    guard let postmaster = folder.postmaster,
      // Once we hold its pidfd, its number cannot become a stranger's.
      let server = try? await ChildProcess.adopt(postmaster.processID, on: loop)
    else { return nil }
    let process = "/proc/\(postmaster.processID)"
    let program = Files.target("\(process)/exe")?.split(separator: "/").last
    guard Files.target("\(process)/cwd") == folder.data, program?.hasPrefix("postgres") == true else {
      // A stranger has the number of a server that was killed, and would keep a new one from starting.
      Files.removeFile(folder.postmasterFile)
      return nil
    }
    return server.exitStatus == nil ? (server, postmaster.socketFolder) : nil
  }

  /// Starts a server and waits until it accepts connections.
  func launch() async throws(ClusterError) -> ChildProcess {
    try SocketFolder.prepare(socketFolder, for: account)
    var arguments = ["-D", folder.data]
    for (name, value) in settings.sorted(by: { $0.key < $1.key }) { arguments += ["-c", "\(name)=\(value)"] }
    var command = account.command(installation.server, arguments)
    command.output = .file(folder.log)
    let server: ChildProcess
    do throws(SystemError) { server = try await ChildProcess.spawn(command, on: loop) } catch {
      throw .failed("PostgreSQL does not start: \(error)")
    }
    try await waitUntilReady(server)
    return server
  }

  private var settings: [String: String] {
    var settings = [
      "listen_addresses": "", "unix_socket_directories": socketFolder, "unix_socket_permissions": "0700",
      "max_connections": "\(options.connections)", "cluster_name": "usher", "logging_collector": "off",
      "log_destination": "stderr", "shared_buffers": "128MB", "max_wal_size": "512MB", "huge_pages": "off",
    ]
    if options.durability == .relaxed {
      settings.merge(["fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"]) { $1 }
    }
    return settings.merging(options.settings) { $1 }
  }

  func waitUntilReady(_ server: ChildProcess) async throws(ClusterError) {
    while true {
      if let status = server.exitStatus {
        let said = Files.tail(folder.log).split(separator: "\n")
        let reason = said.last { $0.contains("FATAL") || $0.contains("PANIC") } ?? said.last ?? "\(status)"
        throw .failed("PostgreSQL does not start: \(reason) (see \(folder.log))")
      }
      if let postmaster = folder.postmaster, postmaster.processID == server.processID, postmaster.isReady {
        return
      }
      do throws(CancellationError) { try await loop.sleep(for: .milliseconds(10)) } catch {
        await Self.end(server)
        throw .failed("PostgreSQL was not waited for")
      }
    }
  }

  /// Ends a server: clients are sent away and everything is written; if that takes too long it recovers at the next
  /// start instead.
  static func end(_ server: ChildProcess) async {
    beginToEnd(server)
    if await server.waitForExit(within: .seconds(30)) != nil { return }
    for signal in [SIGQUIT, SIGKILL] {
      _ = try? server.signal(signal)
      if await server.waitForExit(within: .seconds(10)) != nil { return }
    }
  }

  /// Asks a server to end, also one that somebody has stopped (SIGSTOP), which hears of it only when it goes on.
  static func beginToEnd(_ server: ChildProcess) {
    for signal in [SIGINT, SIGCONT] { _ = try? server.signal(signal) }
  }
}
