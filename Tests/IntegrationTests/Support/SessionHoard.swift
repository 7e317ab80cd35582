import Foundation

/// Takes every connection that PostgreSQL has to give, and leaves them idle.
final class SessionHoard {
  private var descriptors: [Int32] = []

  /// `folder` is that of PostgreSQL's Unix socket.
  init(of folder: String, user: String, database: String) throws {
    // A StartupMessage (PostgreSQL manual, §55.7): its length, protocol 3.0, names and values, each with a zero.
    let names = Array("user\0\(user)\0database\0\(database)\0application_name\0hoard\0\0".utf8)
    let message = [0, 0, 0, UInt8(names.count + 8), 0, 3, 0, 0] + names
    while let descriptor = try Self.connect(to: folder + "/.s.PGSQL.5432"), Self.isServed(descriptor, message)
    {
      descriptors.append(descriptor)
    }
    guard !descriptors.isEmpty else { throw Shell.Failure("no connection to hoard") }
  }

  deinit { release() }

  func release() {
    for descriptor in descriptors { close(descriptor) }
    descriptors = []
  }

  private static func connect(to path: String) throws -> Int32? {
    let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // SAFETY: the path fits (PostgreSQL made it) and the address is whole during the call.
    let connected = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe withUnsafeMutableBytes(of: &pointer.pointee.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
      return unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Glibc.connect(server, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    if connected { return server }
    close(server)
    throw Shell.Failure("cannot connect to \(path)")
  }

  /// Whether the server takes the session; the connection is closed if not.
  private static func isServed(_ descriptor: Int32, _ message: [UInt8]) -> Bool {
    var answer: UInt8 = 0
    // SAFETY: as many bytes as the array holds.
    let isSent = unsafe send(descriptor, message, message.count, Int32(MSG_NOSIGNAL)) == message.count
    // SAFETY: one byte, which outlives the call.
    let isAnswered = unsafe recv(descriptor, &answer, 1, 0) == 1
    let isServed = isSent && isAnswered && answer == UInt8(ascii: "R")
    if !isServed { close(descriptor) }
    return isServed
  }
}
