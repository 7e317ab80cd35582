import Foundation

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
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [command] + arguments
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    let feed = input.map { _ in Pipe() }
    process.standardInput = feed ?? FileHandle.nullDevice
    try process.run()
    if let feed, let input {
      try feed.fileHandleForWriting.write(contentsOf: Data(input.utf8))
      try feed.fileHandleForWriting.close()
    }
    // One after the other would stop at a full pipe of the second.
    let complaint = ConcurrentReading(errors.fileHandleForReading)
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    let complaints = complaint.finish()
    process.waitUntilExit()
    return Finished(
      status: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
      errors: String(decoding: complaints, as: UTF8.self))
  }

  /// Lets go of everything above descriptor 3, in bash: Foundation's `Process` has not ended for as long as anything that
  /// it started, or that this started, lives with what it gave them.
  static let releaseDescriptors =
    #"for held in /proc/self/fd/*; do n=${held##*/}; [ "$n" -le 3 ] || eval "exec $n>&-"; done"#

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

/// Reads a pipe to its end on a thread of its own.
private final class ConcurrentReading: @unchecked Sendable {
  // SAFETY: written by the thread before it signals, read after the signal.
  private var data = Data()
  private let done = DispatchSemaphore(value: 0)

  init(_ handle: FileHandle) {
    Thread.detachNewThread {
      self.data = (try? handle.readToEnd()) ?? Data()
      self.done.signal()
    }
  }

  func finish() -> Data {
    done.wait()
    return data
  }
}
