import Fixtures

/// The `openssl` program, run to its end with its output in files.
struct OpenSSLCommand {
  let program: Program
  private let folder = Result { try TemporaryFolder() }

  /// Starts it. With `input`, that is written to its standard input, which stays open; without, there is none.
  init(_ arguments: [String], input: String? = nil) throws {
    let path = try folder.get().path
    program = try Program(
      "openssl", arguments, input: input == nil ? .nothing : .pipe, output: .file(path + "/out"),
      errors: .file(path + "/err"))
    if let input { try program.send(Array(input.utf8)) }
  }

  /// Waits for its end; what it wrote to both outputs.
  func finish() throws -> String {
    program.waitForEnd()
    let folder = try folder.get()
    return String(decoding: try folder.read("out") + folder.read("err"), as: UTF8.self)
  }

  static func run(_ arguments: [String]) throws {
    let command = try OpenSSLCommand(arguments)
    let said = try command.finish()
    guard command.program.waitForEnd() == .exit(0) else { throw Failed(said: said) }
  }

  struct Failed: Error { let said: String }
}
