internal import CLinux

/// A call to the kernel that failed, and why.
public struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kernel's error number (errno).
  public let errno: Int32
  /// The call that failed, such as `bind`.
  public let call: String
  /// What it was about, such as an address or a path; may be empty.
  public let subject: String

  public init(errno: Int32, call: String, subject: String = "") {
    self.errno = errno
    self.call = call
    self.subject = subject
  }

  /// The call, its subject, and the kernel's reason in one line: `bind 127.0.0.1:8443: Address already in use`.
  public var description: String {
    // SAFETY: the text is a constant of the C library.
    let reason = unsafe String(cString: linux_error_text(errno))
    return subject.isEmpty ? "\(call): \(reason)" : "\(call) \(subject): \(reason)"
  }

  /// The address is taken by another socket.
  public var isAddressInUse: Bool { errno == EADDRINUSE }
  /// The file or directory does not exist.
  public var isNoSuchFile: Bool { errno == ENOENT }
  /// The process may not do this.
  public var isPermissionDenied: Bool { errno == EACCES || errno == EPERM }
  /// The process or the system has run out of descriptors or memory: waiting may help.
  public var isExhaustion: Bool { errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM }

  func about(_ subject: String) -> SystemError { SystemError(errno: errno, call: call, subject: subject) }
}
