import Glibc

/// Why a secret's file was not used. It prints as a sentence that says what to do.
public struct SecretFileError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Reason: Sendable, Equatable {
    case unreadable(errno: Int32)
    case notAFile
    case tooOpen(mode: UInt16)
    case tooLarge
    case empty
  }

  public let path: String
  public let reason: Reason

  public var description: String {
    switch reason {
    case .unreadable(let code):
      // SAFETY: strerror returns a static or thread-local C string, copied at once.
      "\(path) cannot be read: \(unsafe String(cString: strerror(code)))"
    case .notAFile:
      "\(path) is not a regular file"
    case .tooOpen(let mode):
      "\(path) has mode 0\(String(mode, radix: 8)): others could read or change it; run chmod 0600 \(path)"
    case .tooLarge:
      "\(path) is larger than \(Secret.largestFile) bytes"
    case .empty:
      "\(path) is empty"
    }
  }
}
