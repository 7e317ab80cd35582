internal import CLinux

extension ChildProcess {
  /// A program to start, and with what.
  public struct Command: Sendable {
    /// A path, or a name to look for in `PATH`.
    public var executable: String
    /// Without the program's own name.
    public var arguments: [String]
    /// Nil: the environment of this process.
    public var environment: [String: String]?
    /// Nil: the folder of this process.
    public var workingDirectory: String?
    /// Where standard output and standard error go; standard input is always empty.
    public var output: Output

    public init(
      _ executable: String, _ arguments: [String] = [], environment: [String: String]? = nil,
      workingDirectory: String? = nil, output: Output = .inherit
    ) {
      self.executable = executable
      self.arguments = arguments
      self.environment = environment
      self.workingDirectory = workingDirectory
      self.output = output
    }
  }

  /// Where what a child says goes.
  public enum Output: Sendable {
    /// Where ours goes.
    case inherit
    case discard
    /// Appended to a file, which is made with mode 0600.
    case file(String)
    /// Written to an open descriptor of this process, which stays ours.
    case descriptor(Int32)
  }
}

extension ChildProcess.Command {
  /// Starts it and returns its process id.
  func spawn() throws(SystemError) -> Int32 {
    let actions = UnsafeMutablePointer<posix_spawn_file_actions_t>.allocate(capacity: 1)
    let attributes = UnsafeMutablePointer<posix_spawnattr_t>.allocate(capacity: 1)
    // SAFETY: both are initialized here and destroyed before they are freed.
    unsafe posix_spawn_file_actions_init(actions)
    unsafe posix_spawnattr_init(attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(actions)
      unsafe posix_spawnattr_destroy(attributes)
      unsafe actions.deallocate()
      unsafe attributes.deallocate()
    }
    try unsafe check(linux_spawn_attributes(attributes))
    // SAFETY: the library copies paths; the strings live for the length of each call.
    try unsafe check(posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0))
    switch output {
    case .inherit: break
    case .discard: try unsafe check(posix_spawn_file_actions_addopen(actions, 1, "/dev/null", O_WRONLY, 0))
    case .file(let path):
      try unsafe check(
        posix_spawn_file_actions_addopen(actions, 1, path, O_WRONLY | O_APPEND | O_CREAT, 0o600))
    case .descriptor(let number): try unsafe check(posix_spawn_file_actions_adddup2(actions, number, 1))
    }
    if case .inherit = output {} else { try unsafe check(posix_spawn_file_actions_adddup2(actions, 1, 2)) }
    // Also what we were given without knowing: a child that outlives us must not hold somebody's lock or pipe.
    try unsafe check(linux_spawn_close_from(actions, 3))
    if let workingDirectory { try unsafe check(linux_spawn_in_folder(actions, workingDirectory)) }

    // SAFETY: both lists end with null and live until they are freed below.
    let arguments = unsafe CStrings([executable] + arguments)
    let environment = unsafe environment.map { unsafe CStrings($0.map { "\($0.key)=\($0.value)" }) }
    defer {
      unsafe arguments.free()
      unsafe environment?.free()
    }
    var process = pid_t()
    try unsafe check(
      posix_spawnp(
        &process, executable, actions, attributes, arguments.list,
        environment?.list ?? linux_environment()))
    return process
  }

  private func check(_ failure: Int32) throws(SystemError) {
    if failure != 0 { throw SystemError(errno: failure, call: "spawn", subject: executable) }
  }
}

/// A null-terminated list of C strings, freed by hand.
@unsafe private struct CStrings {
  let list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ strings: [String]) {
    unsafe count = strings.count
    unsafe list = .allocate(capacity: strings.count + 1)
    for (index, string) in strings.enumerated() { unsafe (list + index).initialize(to: strdup(string)) }
    unsafe (list + strings.count).initialize(to: nil)
  }

  func free() {
    for index in unsafe 0..<count { unsafe CLinux.free(list[index]) }
    unsafe list.deallocate()
  }
}
