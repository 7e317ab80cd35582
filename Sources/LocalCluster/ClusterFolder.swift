import Reactor

/// Where everything of a cluster is, under the folder that its owner was given.
struct ClusterFolder: Sendable {
  /// The given folder, without links.
  let path: String

  /// The server's own folder (PGDATA).
  var data: String { "\(path)/postgres" }
  /// Where a new one is made, to be renamed when it is complete.
  var unfinished: String { "\(path)/postgres.new" }
  var log: String { "\(path)/postgres.log" }
  var lock: String { "\(path)/postgres.lock" }
  /// Says, inside the server's folder, that we made it.
  var mark: String { "\(data)/usher-cluster" }
  var postmasterFile: String { "\(data)/postmaster.pid" }

  /// Makes the folder if need be, and checks that it can be used.
  init(preparing path: String) throws(ClusterError) {
    do throws(SystemError) {
      if Files.realPath(path) == nil { try Files.makeFolder(path) }
      try Files.isWritable(path)
    } catch { throw .unwritable(path, reason: "\(error)") }
    guard let real = Files.realPath(path), Files.status(real)?.isFolder == true else {
      throw .unwritable(path, reason: "it is not a folder")
    }
    self.path = real
  }

  /// The major version that made the cluster; nil when there is none yet.
  var madeBy: Int? {
    get throws(ClusterError) {
      if Files.status(data) == nil { return nil }
      guard Files.status(mark) != nil, let text = Files.text("\(data)/PG_VERSION"),
        let major = Int(text.filter { !$0.isWhitespace })
      else { throw .foreign(data) }
      return major
    }
  }

  /// What the server wrote about itself; nil when none runs, or has just begun to.
  var postmaster: PostmasterFile? { Files.text(postmasterFile).flatMap(PostmasterFile.init) }

  /// A short private folder for the socket, always the same for the same cluster: the path of a socket may be 107 bytes
  /// long, and a clone may lie deeper than that.
  func socketFolder(runtimeFolder: String?) -> String {
    // FNV-1a, to be short and stable; whether the folder is ours is checked, not assumed.
    let hash = path.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let base = runtimeFolder.flatMap { $0.utf8.count <= 60 && Files.status($0)?.isFolder == true ? $0 : nil }
    return "\(base ?? "/tmp")/usher-\(String(hash, radix: 16))"
  }
}
