import Reactor

/// The folder of the socket, which only the server's account may enter.
///
/// That is the whole authentication, on purpose: the server `trust`s whoever gets there, and only the account that could
/// also read the data files (and root) gets there. A password file would lie open to the same two and to nobody else.
/// `peer` would not do, because as root we come as another OS user than the server's.
enum SocketFolder {
  static func prepare(_ path: String, for account: ServerAccount) throws(ClusterError) {
    do throws(SystemError) {
      if Files.status(path) == nil { try Files.makeFolder(path) }
      if account.isOther, Files.status(path)?.owner == ServerAccount.own { try Files.give(path, to: account) }
    } catch { throw .unwritable(path, reason: "\(error)") }
    // Under /tmp anybody might have made it before us.
    guard let status = Files.status(path), status.isFolder, status.owner == account.user,
      status.permissions == 0o700
    else { throw .socketFolderTaken(path) }
  }
}
