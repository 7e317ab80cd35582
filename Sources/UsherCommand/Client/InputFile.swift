internal import Glibc
internal import Reactor

/// A file that the command line names.
enum InputFile {
  /// Its bytes, at most 64 KiB of them unless `limit` says otherwise; `-` is standard input.
  static func read(_ path: String, limit: Int = 64 * 1024) throws(CommandFailure) -> [UInt8] {
    var contents: [UInt8] = []
    do throws(SystemError) {
      let file = try Descriptor.open(path == "-" ? "/dev/stdin" : path, flags: O_RDONLY)
      while let piece = try file.read(atMost: 4096), !piece.isEmpty, contents.count <= limit {
        contents += piece
      }
    } catch { throw CommandFailure(error) }
    guard contents.count <= limit else { throw CommandFailure("\(path) is longer than \(limit) bytes") }
    return contents
  }
}
