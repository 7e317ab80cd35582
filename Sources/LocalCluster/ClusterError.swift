/// Why there is no cluster. It prints as one line that says what to do.
public enum ClusterError: Error, Sendable, Equatable {
  /// The folder cannot be made or written.
  case unwritable(String, reason: String)
  /// There is no PostgreSQL of a version that will do.
  case notInstalled
  /// Running as root, and the OS user `postgres` does not exist.
  case noServerAccount
  /// Running as root, and the OS user `postgres` cannot get at the folder.
  case unreachable(String)
  /// The folder is not empty, and nothing in it says that we made it.
  case foreign(String)
  /// The cluster was made by another major version than any that is installed.
  case otherVersion(String, made: Int, installed: [Int])
  /// Another process of ours runs this cluster.
  case inUse(String)
  /// A folder for the socket exists already and is not ours.
  case socketFolderTaken(String)
  /// `initdb` or the server said no.
  case failed(String)
}

extension ClusterError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unwritable(let folder, let reason): "\(folder) cannot be written: \(reason)"
    case .notInstalled:
      """
      PostgreSQL \(Installation.oldest) or later was not found (no initdb in /usr/lib/postgresql/*/bin, \
      `pg_config --bindir` or PATH): install it, on Debian and Ubuntu with apt-get install postgresql
      """
    case .noServerAccount:
      """
      PostgreSQL does not run as root, and there is no user postgres to run it as: install the package postgresql, \
      or start as an ordinary user
      """
    case .unreachable(let folder):
      """
      the user postgres, as whom PostgreSQL runs when we are root, cannot get at \(folder), and this system does not \
      let us lend it the right: choose a folder that everybody may enter
      """
    case .foreign(let folder):
      "\(folder) holds something that is not a cluster of ours: choose another folder"
    case .otherVersion(let folder, let made, let installed):
      """
      \(folder) was made by PostgreSQL \(made), and only \(installed.map(String.init).joined(separator: ", ")) is \
      installed: install postgresql-\(made), or choose another folder
      """
    case .inUse(let folder): "another process runs the cluster in \(folder)"
    case .socketFolderTaken(let folder):
      "\(folder), where the socket should be, exists and is not private to us: remove it"
    case .failed(let reason): reason
    }
  }
}
