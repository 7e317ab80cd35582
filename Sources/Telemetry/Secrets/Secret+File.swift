import Glibc

extension Secret {
  /// No secret of ours is larger: a chain of certificates with its key is not.
  public static let largestFile = 256 * 1024

  /// Reads a secret from a regular file that not everybody may read, and that only its owner may write.
  ///
  /// The group may read it: systemd credentials and Kubernetes secrets (`defaultMode: 0440`) look so. The
  /// file may be a symbolic link.
  public init(file path: String) throws(SecretFileError) {
    // SAFETY: the path is a C string for the length of the call. O_NONBLOCK: a FIFO must not hold us up.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw SecretFileError(path: path, reason: .unreadable(errno: errno)) }
    defer { close(descriptor) }

    var status = stat()
    // SAFETY: `status` is ours, and the kernel fills it before the call returns.
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw SecretFileError(path: path, reason: .unreadable(errno: errno))
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw SecretFileError(path: path, reason: .notAFile) }
    guard status.st_mode & 0o027 == 0 else {
      throw SecretFileError(path: path, reason: .tooOpen(mode: UInt16(status.st_mode & 0o7777)))
    }
    guard status.st_size <= Self.largestFile else { throw SecretFileError(path: path, reason: .tooLarge) }

    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while bytes.count <= Self.largestFile {
      // SAFETY: the kernel writes at most the buffer's count.
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
      if count == 0 { break }
      if count > 0 {
        bytes += buffer[..<count]
      } else if errno != EINTR {
        throw SecretFileError(path: path, reason: .unreadable(errno: errno))
      }
    }
    guard !bytes.isEmpty else { throw SecretFileError(path: path, reason: .empty) }
    self.init(bytes)
  }
}
