import Foundation

/// The `openssl` command, the peer that our certificates must agree with.
public enum OpenSSLTool {
  /// What a run said.
  public struct Result: Sendable {
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

  /// Runs it, whatever it says.
  public static func attempt(_ arguments: [String], input: [UInt8] = []) throws -> Result {
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
