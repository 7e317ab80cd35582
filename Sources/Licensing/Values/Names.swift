/// An organization's address in the API: a DNS label (RFC 1035 §2.3.1, digits first allowed), lower case.
public struct Slug: Sendable, Hashable, CustomStringConvertible {
  public let description: String

  /// A good one, for documents, and where a bad one is already refused.
  public static let example = Slug(good: "acme")

  private init(good text: String) { description = text }

  public init?(_ text: String) {
    let bytes = text.utf8
    guard (1...63).contains(bytes.count), bytes.first != 45, bytes.last != 45,
      bytes.allSatisfy({ (97...122).contains($0) || (48...57).contains($0) || $0 == 45 })
    else { return nil }
    description = text
  }

  public static let rule = "1 to 63 characters a–z, 0–9 and hyphen, neither first nor last a hyphen"
}

/// A product's code, as client apps name it in a path: `[A-Za-z0-9._-]{1,64}`, neither `.` nor `..`.
public struct ProductCode: Sendable, Hashable, CustomStringConvertible {
  public let description: String

  /// A good one, for documents, and where a bad one is already refused.
  public static let example = ProductCode(good: "studio")

  private init(good text: String) { description = text }

  public init?(_ text: String) {
    guard (1...64).contains(text.utf8.count), text != ".", text != "..",
      text.utf8.allSatisfy(IdentityName.isIssuable)
    else { return nil }
    description = text
  }

  public static let rule = "1 to 64 characters A–Z, a–z, 0–9, dot, underscore and hyphen"
}

/// An identity's name: `[A-Za-z0-9._@:/-]{1,256}`; not `.`, `..` nor the form of a UUID, which a path could not tell from an id.
public struct IdentityName: Sendable, Hashable, CustomStringConvertible {
  public let description: String

  /// A good one, for documents, and where a bad one is already refused.
  public static let example = IdentityName(good: "laptop-7")

  private init(good text: String) { description = text }

  public init?(_ text: String) {
    guard (1...256).contains(text.utf8.count), text != ".", text != "..", Identifier(text) == nil,
      text.utf8.allSatisfy({ Self.isIssuable($0) || $0 == 64 || $0 == 58 || $0 == 47 })
    else { return nil }
    description = text
  }

  /// Whether a certificate of ours may carry it: `[A-Za-z0-9._-]{1,128}`, since it is a segment of a SPIFFE ID.
  public var isIssuable: Bool {
    description.utf8.count <= 128 && description.utf8.allSatisfy(Self.isIssuable)
  }

  static func isIssuable(_ byte: UInt8) -> Bool {
    (97...122).contains(byte) || (65...90).contains(byte) || (48...57).contains(byte) || byte == 46
      || byte == 95
      || byte == 45
  }

  public static let rule =
    "1 to 256 characters A–Z, a–z, 0–9 and . _ @ : / -, neither . nor .. nor the form of a UUID"

  public static let issuableRule =
    "1 to 128 characters A–Z, a–z, 0–9 and . _ -, neither . nor .. nor the form of a UUID"
}
