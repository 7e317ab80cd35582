import Glibc
import Reactor

/// The OS user as whom the server runs: ours, or `postgres` when we are root, as whom it refuses to.
struct ServerAccount: Sendable {
  let user: UInt32
  let group: UInt32
  /// We are root and step down to this account.
  let isOther: Bool
  /// The account may read and enter every folder, because one above the cluster is closed to it.
  private(set) var mayEnterAll = false

  private init(user: UInt32, group: UInt32, isOther: Bool) {
    self.user = user
    self.group = group
    self.isOther = isOther
  }

  /// The user of this process.
  static var own: UInt32 { geteuid() }

  static func current() throws(ClusterError) -> ServerAccount {
    guard own == 0 else { return ServerAccount(user: own, group: getegid(), isOther: false) }
    // SAFETY: the entry is the library's, and copied before anybody asks again.
    guard let entry = unsafe getpwnam("postgres") else { throw .noServerAccount }
    return unsafe ServerAccount(user: entry.pointee.pw_uid, group: entry.pointee.pw_gid, isOther: true)
  }

  /// The same account, able to work in `folder`, which belongs to it.
  ///
  /// Where a folder above is closed to it, as in a clone under /root, it keeps one capability on its way: to read and
  /// enter, not to write.
  func reaching(_ folder: String, on loop: EventLoop) async throws(ClusterError) -> ServerAccount {
    if !isOther { return self }
    var lent = self
    lent.mayEnterAll = true
    for account in [self, lent] where await account.canWork(in: folder, on: loop) { return account }
    throw .unreachable(folder)
  }

  private func canWork(in folder: String, on loop: EventLoop) async -> Bool {
    // Tried rather than asked: access(2), and so test(1), overlooks what a capability permits.
    let completed = try? await ChildProcess.run(command("ls", ["--", folder]), on: loop)
    return completed?.status.isSuccess == true
  }

  /// A command that runs as this account, with nothing of our environment.
  func command(_ program: String, _ arguments: [String]) -> ChildProcess.Command {
    let environment = ["PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C"]
    guard isOther else {
      return ChildProcess.Command(program, arguments, environment: environment, workingDirectory: "/")
    }
    var step = ["--reuid=\(user)", "--regid=\(group)", "--clear-groups"]
    if mayEnterAll { step += ["--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"] }
    return ChildProcess.Command(
      "setpriv", step + ["--", program] + arguments, environment: environment, workingDirectory: "/")
  }
}
