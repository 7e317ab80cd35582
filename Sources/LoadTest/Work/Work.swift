/// What a run does again and again.
package enum Work: String, Sendable, CaseIterable {
  /// Full handshakes, each with one check.
  case handshake
  /// Resumed handshakes, each with one check.
  case resume
  /// Checks of held seats on connections that stand.
  case check
  /// Claims; what was claimed is released again, which is timed by itself.
  case claim
  /// Renewals of held seats.
  case renew
  /// Days of devices, compressed: connect, claim, check and renew a while, release, leave; the next identity comes.
  case mixed
  /// Opens connections and holds them.
  case idle
  /// Enrollments of new keys.
  case enroll

  /// Whether the identities hold their seats before the clock starts.
  var claimsBefore: Bool {
    switch self {
    case .handshake, .resume, .check, .renew, .idle: true
    case .claim, .mixed, .enroll: false
    }
  }
}
