import Fixtures

/// A command that was run to its end.
struct Finished: Sendable {
  let status: Int32
  let output: String
  let errors: String
}

/// Runs commands as a user would.
enum Shell {
  /// Runs a command found in PATH and waits for it.
  static func run(_ command: String, _ arguments: [String], input: String? = nil) throws -> Finished {
    let folder = try TemporaryFolder()
    // Files, so that no pipe can fill up.
    let program = try Program(
      command, arguments, input: input == nil ? .nothing : .file(try folder.write(input ?? "", to: "in")),
      output: .file(folder.path + "/out"), errors: .file(folder.path + "/err"))
    let status: Int32 = if case .exit(let code) = program.waitForEnd() { code } else { -1 }
    return Finished(
      status: status, output: String(decoding: try folder.read("out"), as: UTF8.self),
      errors: String(decoding: try folder.read("err"), as: UTF8.self))
  }

  /// Runs `openssl`, which must succeed.
  @discardableResult
  static func openssl(_ arguments: String...) throws -> String {
    let result = try run("openssl", arguments)
    guard result.status == 0 else {
      throw Failure("openssl \(arguments.joined(separator: " ")): \(result.errors)")
    }
    return result.output
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }
}
