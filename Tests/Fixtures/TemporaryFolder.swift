import Foundation
import Glibc

/// A folder of a test's own, removed with everything in it when the test lets go of it.
public final class TemporaryFolder: Sendable {
  /// Its absolute path.
  public let path: String

  /// Makes an empty folder, readable by its owner alone.
  public init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "usher-\(UUID().uuidString.prefix(8))")
    path = url.path(percentEncoded: false)
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file and returns its path.
  @discardableResult
  public func write(_ contents: String, to name: String) throws -> String {
    try write(Array(contents.utf8), to: name)
  }

  /// Writes a file of bytes and returns its path.
  @discardableResult
  public func write(_ contents: [UInt8], to name: String) throws -> String {
    let file = "\(path)/\(name)"
    try Data(contents).write(to: URL(fileURLWithPath: file))
    return file
  }

  /// Reads a file in it.
  public func read(_ name: String) throws -> [UInt8] { try Self.contents(of: "\(path)/\(name)") }

  /// Reads any file. (Foundation leaks a page for each empty one, which AddressSanitizer finds.)
  public static func contents(of file: String) throws -> [UInt8] {
    let descriptor = unsafe open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw CocoaError(.fileNoSuchFile) }
    defer { close(descriptor) }
    var contents: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65536)
    while true {
      // SAFETY: the array holds as many bytes as are asked for.
      let count = unsafe Glibc.read(descriptor, &piece, piece.count)
      guard count > 0 else { return contents }
      contents += piece.prefix(count)
    }
  }
}
