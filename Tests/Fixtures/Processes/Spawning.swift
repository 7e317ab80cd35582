internal import CLinux
internal import Glibc

/// The start of a process: which descriptors it gets, then itself (posix_spawn(3)).
@unsafe struct Spawning: ~Copyable {
  private let actions = UnsafeMutablePointer<posix_spawn_file_actions_t>.allocate(capacity: 1)
  private let attributes = UnsafeMutablePointer<posix_spawnattr_t>.allocate(capacity: 1)
  private var theirs: [Int32] = []

  init() {
    unsafe posix_spawn_file_actions_init(actions)
    unsafe posix_spawnattr_init(attributes)
    unsafe linux_spawn_attributes(attributes)
  }

  deinit {
    for index in unsafe theirs.indices { unsafe close(theirs[index]) }
    unsafe posix_spawn_file_actions_destroy(actions)
    unsafe posix_spawnattr_destroy(attributes)
    unsafe actions.deallocate()
    unsafe attributes.deallocate()
  }

  /// What the child's descriptor `number` is; our end if it is a pipe.
  mutating func open(_ number: Int32, _ end: Program.End) throws -> Int32? {
    let forWriting = O_WRONLY | O_CREAT | O_TRUNC
    switch end {
    case .nothing:
      unsafe posix_spawn_file_actions_addopen(actions, number, "/dev/null", O_RDWR, 0)
    case .file(let path):
      unsafe posix_spawn_file_actions_addopen(
        actions, number, path, number == 0 ? O_RDONLY : forWriting, 0o600)
    case .pipe:
      var ends: [Int32] = [0, 0]
      guard unsafe pipe(&ends) == 0 else { throw Program.Failure("no pipe: \(errno)") }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      let (their, our) = number == 0 ? (ends[0], ends[1]) : (ends[1], ends[0])
      unsafe theirs.append(their)
      unsafe posix_spawn_file_actions_adddup2(actions, their, number)
      return our
    }
    return nil
  }

  /// Starts it and returns its process id.
  mutating func run(_ command: String, _ arguments: [String]) throws -> pid_t {
    unsafe linux_spawn_close_from(actions, 3)
    var words = unsafe ([command] + arguments).map { unsafe strdup($0) } + [nil]
    // SAFETY: each is what strdup gave, or null.
    defer { for index in unsafe words.indices { unsafe free(words[index]) } }
    var process = pid_t()
    let code = unsafe posix_spawnp(&process, command, actions, attributes, &words, linux_environment())
    guard code == 0 else { throw Program.Failure("\(command) cannot be started: \(code)") }
    return process
  }
}
