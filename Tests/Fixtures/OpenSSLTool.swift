/// The `openssl` command, the peer that our certificates must agree with.
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
    let program = try Program(
      "openssl", arguments, input: .file(files.input), output: .file(files.output),
      errors: .file(files.errors))
    let status: Int32 = if case .exit(let code) = program.waitForEnd() { code } else { -1 }
    return Result(
      status: status, output: try folder.read("out"),
      errors: String(decoding: try folder.read("err"), as: UTF8.self))
  }
}
