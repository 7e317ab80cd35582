import Glibc
import Reactor

/// The few things that a cluster does to files, each a call to the kernel that says why it failed.
enum Files {
  struct Status {
    let owner: UInt32
    let permissions: UInt32
    let isFolder: Bool
  }

  /// About the path itself, not about what a symbolic link there points to; nil when there is nothing.
  static func status(_ path: String) -> Status? {
    var status = stat()
    // SAFETY: the call fills in the local variable.
    guard unsafe lstat(path, &status) == 0 else { return nil }
    return Status(
      owner: status.st_uid, permissions: status.st_mode & 0o7777, isFolder: status.st_mode & S_IFMT == S_IFDIR
    )
  }

  static func makeFolder(_ path: String, mode: UInt32 = 0o700) throws(SystemError) {
    try check("mkdir", path, unsafe mkdir(path, mode))
  }

  static func give(_ path: String, to account: ServerAccount) throws(SystemError) {
    try check("chown", path, unsafe chown(path, account.user, account.group))
  }

  static func rename(_ old: String, to new: String) throws(SystemError) {
    try check("rename", new, unsafe Glibc.rename(old, new))
  }

  static func removeFile(_ path: String) { _ = unsafe unlink(path) }

  /// Removes an empty folder.
  static func removeFolder(_ path: String) { _ = unsafe rmdir(path) }

  static func isWritable(_ path: String) throws(SystemError) {
    try check("access", path, unsafe access(path, W_OK | X_OK))
  }

  /// Whether there is such a program.
  static func isProgram(_ path: String) -> Bool { unsafe access(path, X_OK) == 0 }

  /// The names in a folder; none when it cannot be read.
  static func names(in folder: String) -> [String] {
    // SAFETY: the folder is closed below; an entry is copied before the next is read.
    guard let stream = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// A small text file; nil when it cannot be read.
  static func text(_ path: String) -> String? {
    guard let file = try? Descriptor.open(path, flags: O_RDONLY) else { return nil }
    var bytes: [UInt8] = []
    while let part = try? file.read(atMost: 65536), !part.isEmpty, bytes.count < 1 << 20 { bytes += part }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The end of a file, for the message of what went wrong; empty when it cannot be read.
  static func tail(_ path: String) -> String {
    guard let file = try? Descriptor.open(path, flags: O_RDONLY) else { return "" }
    let size = lseek(file.rawValue, 0, SEEK_END)
    lseek(file.rawValue, max(0, size - 4096), SEEK_SET)
    return String(decoding: (try? file.read(atMost: 4096)) ?? [], as: UTF8.self)
  }

  static func write(_ text: String, to path: String) throws(SystemError) {
    let file = try Descriptor.open(path, flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o600)
    let bytes = Array(text.utf8)
    _ = try file.write(bytes.span)
  }

  /// Where a symbolic link points to; nil when it cannot be read.
  static func target(_ link: String) -> String? {
    unsafe withUnsafeTemporaryAllocation(byteCount: Int(PATH_MAX), alignment: 1) { buffer in
      // SAFETY: the kernel writes at most the buffer's size, and says how much.
      let count = unsafe readlink(link, buffer.assumingMemoryBound(to: CChar.self).baseAddress!, buffer.count)
      return count < 0 ? nil : unsafe String(decoding: buffer.prefix(count), as: UTF8.self)
    }
  }

  /// The path without links, `.` and `..`; nil when there is nothing.
  static func realPath(_ path: String) -> String? {
    // SAFETY: the library allocates the text, which is copied and freed.
    guard let real = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }

  /// Takes the lock of a file for as long as its descriptor lives, even through `kill -9`; nil: somebody has it.
  static func lock(_ path: String) throws(SystemError) -> Descriptor? {
    let file = try Descriptor.open(path, flags: O_RDWR | O_CREAT, mode: 0o600)
    guard flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 else { return nil }
    return file
  }

  private static func check(_ call: String, _ path: String, _ result: Int32) throws(SystemError) {
    if result != 0 { throw SystemError(errno: errno, call: call, subject: path) }
  }
}
