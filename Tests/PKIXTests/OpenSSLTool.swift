import Foundation
import Testing

/// The `openssl` command, the peer that our certificates must agree with.
enum OpenSSLTool {
  struct Result {
    let status: Int32
    let output: [UInt8]
    let errors: String
  }

  /// Runs it and returns its output; a failure fails the test.
  static func run(_ arguments: [String], input: [UInt8] = []) throws -> [UInt8] {
    let result = try attempt(arguments, input: input)
    try #require(result.status == 0, "openssl \(arguments.joined(separator: " ")): \(result.errors)")
    return result.output
  }

  /// Runs it, whatever it says.
  static func attempt(_ arguments: [String], input: [UInt8] = []) throws -> Result {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    let (standardInput, output, errors) = (Pipe(), Pipe(), Pipe())
    process.standardInput = standardInput
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    try standardInput.fileHandleForWriting.write(contentsOf: Data(input))
    try standardInput.fileHandleForWriting.close()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    let complaint = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus, output: Array(text),
      errors: String(decoding: complaint, as: UTF8.self))
  }
}
