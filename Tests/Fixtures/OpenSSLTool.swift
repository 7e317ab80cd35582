import Glibc

/// The `openssl` command, the peer that our certificates must agree with.
///
/// Not Foundation's `Process`: AddressSanitizer finds a leak in it.
public enum OpenSSLTool {
  /// What a run said.
  public struct Result: Sendable {
    /// The exit status; -1 if a signal ended it.
    public let status: Int32
    public let output: [UInt8]
    public let errors: String
  }

  /// A run that failed.
  public struct Failure: Error, CustomStringConvertible {
    public let description: String
  }

  /// Runs it and returns its output; it throws what it wrote to its standard error when it fails.
  @discardableResult
  public static func run(_ arguments: [String], input: [UInt8] = []) throws -> [UInt8] {
    let result = try attempt(arguments, input: input)
    guard result.status == 0 else {
      throw Failure(description: "openssl \(arguments.joined(separator: " ")): \(result.errors)")
    }
    return result.output
  }

  /// Runs it, whatever it says. Input and output are files, so that no pipe can fill up.
  public static func attempt(_ arguments: [String], input: [UInt8] = []) throws -> Result {
    let folder = try TemporaryFolder()
    let files = (input: "\(folder.path)/in", output: "\(folder.path)/out", errors: "\(folder.path)/err")
    try folder.write(input, to: "in")
    // SAFETY: C strings and file actions live until the child is spawned, and are freed here.
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    let writing = O_WRONLY | O_CREAT | O_TRUNC
    unsafe posix_spawn_file_actions_addopen(&actions, 0, files.input, O_RDONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, 1, files.output, writing, 0o600)
    unsafe posix_spawn_file_actions_addopen(&actions, 2, files.errors, writing, 0o600)
    var words = unsafe (["openssl"] + arguments).map { unsafe strdup($0) } + [nil]
    defer { for index in unsafe words.indices { unsafe free(words[index]) } }
    var child: pid_t = 0
    let code = unsafe posix_spawnp(&child, "openssl", &actions, nil, &words, environ)
    guard code == 0 else { throw Failure(description: "openssl cannot be started: \(code)") }
    var status: Int32 = 0
    while unsafe waitpid(child, &status, 0) == -1, errno == EINTR {}
    return Result(
      status: status & 0x7f == 0 ? status >> 8 & 0xff : -1, output: try folder.read("out"),
      errors: String(decoding: try folder.read("err"), as: UTF8.self))
  }
}
