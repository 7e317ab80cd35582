internal import Glibc
internal import Reactor
internal import UsherClient

/// Where a signed lease goes: to a file, or to standard output.
enum LeaseFile {
  /// Writes it to `path`; without one it is what is to be printed.
  static func keep(_ lease: String, in path: String?) throws(ClientError) -> String? {
    guard let path else { return lease }
    do throws(SystemError) {
      let file = try Descriptor.open(path, flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
      let bytes = Array("\(lease)\n".utf8)
      var written = 0
      while written < bytes.count, case .done(let count) = try file.write(bytes.span.extracting(written...)) {
        written += count
      }
    } catch { throw .unusable("\(error)") }
    return nil
  }
}
