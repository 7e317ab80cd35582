import Cryptography

/// A secret that whoever holds it may use: 256 random bits with a prefix that secret scanners know.
///
/// It is shown once; only its SHA-256 is stored.
public struct BearerToken: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
  public enum Kind: String, Sendable, CaseIterable {
    case `operator` = "usher_op_"
    /// A token of one organization.
    case organization = "usher_org_"
    case enrollment = "usher_enroll_"
    /// Makes the first token of an organization.
    case setup = "usher_setup_"
  }

  public let kind: Kind
  /// The whole token, as it is sent.
  public let secret: String
  /// SHA-256 of `secret`, 32 bytes.
  public let hash: [UInt8]

  /// A new token over 32 random bytes.
  public init(_ kind: Kind, random: [UInt8]) throws {
    try self.init(kind, secret: kind.rawValue + Base64.encodeURL(random))
  }

  /// Reads a token of one of these kinds; nil when it cannot be one, which spares the look-up.
  public init?(_ text: String, of kinds: Set<Kind>) {
    guard let kind = kinds.first(where: { text.hasPrefix($0.rawValue) }),
      Base64.decodeURL(String(text.dropFirst(kind.rawValue.count)))?.count == 32,
      let token = try? Self(kind, secret: text)
    else { return nil }
    self = token
  }

  private init(_ kind: Kind, secret: String) throws {
    self.kind = kind
    self.secret = secret
    hash = try SHA256Digest(hashing: Array(secret.utf8)).bytes
  }

  public var description: String { "<redacted>" }
  public var debugDescription: String { "<redacted>" }
}
