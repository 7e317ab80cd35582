internal import CLinux

/// How many descriptors the process may hold at once (RLIMIT_NOFILE).
public enum OpenFileLimit {
  /// Raises the soft limit to the hard one and returns it; where even asking fails, what is in force stays.
  @discardableResult
  public static func raise() -> Int {
    let resource = Int32(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    // SAFETY: the kernel fills in and reads the local variable.
    guard unsafe getrlimit(resource, &limit) == 0 else { return 0 }
    let current = Int(clamping: limit.rlim_cur)
    limit.rlim_cur = limit.rlim_max
    return unsafe setrlimit(resource, &limit) == 0 ? Int(clamping: limit.rlim_max) : current
  }
}
