/// Why a certificate is not trusted.
public struct PathFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The families that a TLS alert, a counter and a log line tell apart.
  public enum Kind: Sendable, Hashable {
    /// No path leads to the anchor: alert `unknown_ca`.
    case unknownIssuer
    /// A path leads to the anchor by name, and a signature on it does not verify.
    case badSignature
    /// The path is not for client authentication: alert `unsupported_certificate`.
    case wrongPurpose
    /// An intermediate or the anchor has expired. (A leaf's own time is a verdict, not a failure.)
    case expired
    /// An intermediate or the anchor is not valid yet.
    case notYetValid
    /// A CA on the path has revoked an intermediate. (A revoked leaf is a verdict, not a failure.)
    case revoked
    /// A part of a certificate cannot be read.
    case malformed
    /// A rule of RFC 5280 or of Usher forbids it.
    case forbidden
  }

  /// The family.
  public let kind: Kind
  /// What is wrong, in words, without anything that a certificate says.
  public let reason: String
  /// Which certificate of the path is at fault, where one is.
  public let role: PathRole?

  /// A failure.
  public init(_ kind: Kind, _ reason: String, role: PathRole? = nil) {
    self.kind = kind
    self.reason = reason
    self.role = role
  }

  public var description: String {
    switch role {
    case nil: reason
    case .leaf: "the certificate: \(reason)"
    case .intermediate: "an intermediate certificate: \(reason)"
    case .anchor: "the anchor: \(reason)"
    }
  }
}
