import Reactor

/// Makes a new cluster beside its final place, so that one that was interrupted is never taken for a whole one.
struct ClusterCreation {
  let folder: ClusterFolder
  let installation: Installation
  let account: ServerAccount
  let isSynced: Bool
  let loop: EventLoop

  func run() async throws(ClusterError) {
    await ClusterFolder.remove(folder.unfinished, on: loop)
    do throws(SystemError) {
      try Files.makeFolder(folder.unfinished)
      if account.isOther { try Files.give(folder.unfinished, to: account) }
    } catch { throw .unwritable(folder.unfinished, reason: "\(error)") }

    let account = try await account.reaching(folder.unfinished, on: loop)
    // Text is compared by its bytes: the same order everywhere, and the fastest.
    var arguments = [
      "--pgdata=\(folder.unfinished)", "--username=\(PostgresCluster.user)", "--auth=trust",
      "--encoding=UTF8",
      "--locale=C", "--data-checksums", "--no-instructions",
    ]
    if !isSynced { arguments.append("--no-sync") }
    try await check(account.command(installation.initdb, arguments), "initdb")
    // Without a socket nobody can interfere, and a server in single-user mode needs none.
    let script = #"echo "CREATE DATABASE $0" | exec "$1" --single -F -D "$2" postgres"#
    try await check(
      account.command(
        "sh", ["-c", script, PostgresCluster.database, installation.server, folder.unfinished]), "postgres")
    do throws(SystemError) {
      try Files.write("1\n", to: "\(folder.unfinished)/usher-cluster")
      try Files.rename(folder.unfinished, to: folder.data)
    } catch { throw .unwritable(folder.data, reason: "\(error)") }
  }

  private func check(_ command: ChildProcess.Command, _ name: String) async throws(ClusterError) {
    do throws(SystemError) {
      let completed = try await ChildProcess.run(command, on: loop)
      if completed.status.isSuccess { return }
      let said = String(decoding: completed.output, as: UTF8.self).split(separator: "\n").suffix(3)
      throw SystemError(errno: 0, call: name, subject: "\(completed.status): \(said.joined(separator: "; "))")
    } catch { throw .failed("\(name) could not make a cluster: \(error)") }
  }
}

extension ClusterFolder {
  /// Removes a folder with all that is in it; the server's account made some of it.
  static func remove(_ path: String, on loop: EventLoop) async {
    if Files.status(path) == nil { return }
    _ = try? await ChildProcess.run(.init("rm", ["-rf", "--", path]), on: loop)
  }
}
