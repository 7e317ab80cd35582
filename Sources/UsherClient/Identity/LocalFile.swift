internal import Glibc
internal import Reactor

/// Small files that are either whole or absent, whatever happens meanwhile.
package enum LocalFile {
  private static let limit = 1024 * 1024

  package static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// Makes a folder that only its owner can enter; one that is there stays as it is.
  static func makeFolder(_ path: String) throws(ClientError) {
    guard unsafe mkdir(path, 0o700) != 0, errno != EEXIST else { return }
    throw failure("mkdir", path)
  }

  /// Reads a file of at most a mebibyte.
  package static func read(_ path: String) throws(ClientError) -> [UInt8] {
    do throws(SystemError) {
      let file = try Descriptor.open(path, flags: O_RDONLY)
      var contents: [UInt8] = []
      while let piece = try file.read(atMost: 64 * 1024), !piece.isEmpty, contents.count <= limit {
        contents += piece
      }
      return contents
    } catch { throw .unusable("\(error)") }
  }

  /// Writes a new file of mode 0600; one that exists is left alone.
  static func create(_ path: String, _ contents: [UInt8]) throws(ClientError) {
    try writeAside(path, mode: 0o600, contents) { temporary throws(ClientError) in
      // Unlike a rename, a link fails when the name is taken.
      if unsafe link(temporary, path) != 0 { throw failure("link", path) }
      unsafe unlink(temporary)
    }
  }

  /// Writes a file of this mode in the place of any that exists.
  package static func replace(
    _ path: String, _ contents: [UInt8], mode: UInt32 = 0o644
  ) throws(ClientError) {
    try writeAside(path, mode: mode, contents) { temporary throws(ClientError) in
      if unsafe rename(temporary, path) != 0 { throw failure("rename", path) }
    }
  }

  private static func writeAside(
    _ path: String, mode: UInt32, _ contents: [UInt8], _ finish: (String) throws(ClientError) -> Void
  ) throws(ClientError) {
    let temporary = "\(path).\(getpid())-\(UInt32.random(in: 0 ... .max))"
    do throws(ClientError) {
      try write(temporary, mode: mode, contents)
      try finish(temporary)
    } catch {
      unsafe unlink(temporary)
      throw error
    }
  }

  private static func write(_ path: String, mode: UInt32, _ contents: [UInt8]) throws(ClientError) {
    do throws(SystemError) {
      let file = try Descriptor.open(path, flags: O_WRONLY | O_CREAT | O_EXCL, mode: mode)
      var written = 0
      while written < contents.count,
        case .done(let count) = try file.write(contents.span.extracting(written...))
      {
        written += count
      }
      if fsync(file.rawValue) != 0 { throw SystemError(errno: errno, call: "fsync", subject: path) }
    } catch { throw .unusable("\(error)") }
  }

  private static func failure(_ call: String, _ path: String) -> ClientError {
    .unusable("\(SystemError(errno: errno, call: call, subject: path))")
  }
}
