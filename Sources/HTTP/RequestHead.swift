/// The version of HTTP that a request speaks.
public enum Version: Sendable, Hashable {
  case http10, http11
}

/// What the head of a request says, as ranges of its bytes.
struct RequestHead: Sendable {
  /// How long the body is (RFC 9112 §6.3).
  enum Framing: Sendable, Hashable {
    case none
    case length(Int)
    case chunked
  }

  var method = Method.other
  var version = Version.http11
  var path = ByteRange(0, 0)
  var query = ByteRange(0, 0)
  /// Host and port: from an absolute target, else from `Host`.
  var authority = ByteRange(0, 0)
  /// Where the first field line begins.
  var fields = 0
  var framing = Framing.none
  var keepsAlive = true
  var expectsContinue = false
  /// Its body is longer than others may be.
  var isLong = false
  /// It holds what proves who sent it.
  var isSecret = false
  /// Held by a request with a long body that was let in.
  var longBody: LongBodyPlace?
}
