import Foundation

/// The `openssl` program, run to its end with its output in files.
struct OpenSSLCommand {
  let process = Process()
  private let output: URL

  /// Starts it. With `input`, that is written to its standard input, which stays open; without, there is none.
  init(_ arguments: [String], input: String? = nil) throws {
    output = FileManager.default.temporaryDirectory.appendingPathComponent("openssl-\(UUID().uuidString).txt")
    _ = FileManager.default.createFile(atPath: output.path, contents: nil)
    let file = try FileHandle(forWritingTo: output)
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    process.standardOutput = file
    process.standardError = file
    let pipe = Pipe()
    process.standardInput = input == nil ? FileHandle.nullDevice : pipe
    try process.run()
    if let input { try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8)) }
  }

  /// Waits for its end; what it wrote to both outputs.
  func finish() throws -> String {
    process.waitUntilExit()
    defer { try? FileManager.default.removeItem(at: output) }
    return try String(decoding: Data(contentsOf: output), as: UTF8.self)
  }

  static func run(_ arguments: [String]) throws {
    let command = try OpenSSLCommand(arguments)
    let said = try command.finish()
    guard command.process.terminationStatus == 0 else { throw Failed(said: said) }
  }

  struct Failed: Error { let said: String }
}
