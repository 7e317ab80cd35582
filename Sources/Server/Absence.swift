internal import Reactor

/// The handshake of a connection, and the stream with it, is on another thread: what happens meanwhile waits.
struct Absence {
  /// What became possible or known.
  var missed: Readiness = []
  /// The connection is to close once the stream is back.
  var endsInClosing = false
}
