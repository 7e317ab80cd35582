package import Cryptography
internal import FoundationEssentials

/// P-256 keys, the slow part of an identity, kept on disk between runs. They have never protected anything: the
/// certificates that go with them are made anew for each run, by a CA whose key is never written.
package struct KeyCache: Sendable {
  private static let keysInFile = 1000

  /// A folder for its owner alone; nil: nothing is kept.
  private let folder: String?

  package init(folder: String?) { self.folder = folder }

  /// The first so many keys. Missing ones are made on every processor, and kept.
  package func keys(_ count: Int) async throws(LoadFailure) -> [PrivateKey] {
    let files = (count + Self.keysInFile - 1) / Self.keysInFile
    do {
      return try await withThrowingTaskGroup(of: (Int, [PrivateKey]).self) { group in
        for file in 0..<files { group.addTask { (file, try keys(inFile: file)) } }
        var parts: [Int: [PrivateKey]] = [:]
        for try await (file, keys) in group { parts[file] = keys }
        return Array((0..<files).flatMap { parts[$0] ?? [] }.prefix(count))
      }
    } catch { throw LoadFailure("keys cannot be made: \(error)") }
  }

  private func keys(inFile file: Int) throws -> [PrivateKey] {
    let path = folder.map { "\($0)/p256-\(file).pem" }
    if let path, let known = read(path), known.count == Self.keysInFile { return known }
    let keys = try (0..<Self.keysInFile).map { _ in try PrivateKey(generating: .p256) }
    // What cannot be kept is made again the next time.
    if let path { try? write(keys, to: path) }
    return keys
  }

  private func read(_ path: String) -> [PrivateKey]? {
    guard let text = FileManager.default.contents(atPath: path).map({ String(decoding: $0, as: UTF8.self) })
    else { return nil }
    let end = "-----END PRIVATE KEY-----\n"
    return try? text.split(separator: end).map { try PrivateKey(pem: Array(($0 + end).utf8)) }
  }

  private func write(_ keys: [PrivateKey], to path: String) throws {
    guard let folder else { return }
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let pem = try keys.flatMap { try $0.secretPEM() }
    // Made beside and moved, so that a file is whole or absent.
    let draft = "\(path).\(UInt32.random(in: 0 ... .max))"
    guard
      FileManager.default.createFile(
        atPath: draft, contents: Data(pem), attributes: [.posixPermissions: 0o600])
    else { return }
    if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
    try FileManager.default.moveItem(atPath: draft, toPath: path)
  }
}
