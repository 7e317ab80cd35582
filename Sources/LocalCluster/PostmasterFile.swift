/// What a running server says of itself in `postmaster.pid` (the server's miscadmin.h).
struct PostmasterFile: Equatable {
  let processID: Int32
  /// The folder of the socket.
  let socketFolder: String
  /// It accepts connections.
  let isReady: Bool

  /// nil when the server has not written all of it yet.
  init?(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
      $0.filter { $0 != " " }
    }
    guard lines.count >= 5, let processID = Int32(lines[0]), processID > 1 else { return nil }
    self.processID = processID
    socketFolder = lines[4]
    isReady = lines.count >= 8 && lines[7] == "ready"
  }
}
