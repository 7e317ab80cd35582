internal import Cryptography
public import Issuance
public import Licensing
public import PKIX

/// Reads the identity's name out of an external CA's certificate, by the authority's mapping.
///
/// Only an *absent* field falls through to the next rule. Several values, an empty or a malformed one refuse: a
/// certificate must not be able to look like someone else by leaving room for interpretation. Bytes are compared exactly.
public enum IdentityMapping {
  public enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// No rule found its field.
    case absent
    /// The field has more than one value.
    case several(MappingRule.Field)
    /// The value is empty, too long, not text, or has control characters.
    case malformed(MappingRule.Field)

    public var description: String {
      switch self {
      case .absent: "the certificate has none of the fields of the authority's mapping"
      case .several(let field):
        "the certificate has several values of \(field.rawValue), and only one can be a name"
      case .malformed(let field): "the certificate's \(field.rawValue) is empty, too long or not plain text"
      }
    }
  }

  /// The longest value that can be a key, in bytes.
  public static let longestValue = 1024

  public static func name(of certificate: Certificate, by rules: [MappingRule], group: String) throws(Failure)
    -> ExternalName
  {
    for rule in rules {
      if let value = try value(of: rule, in: certificate) {
        return ExternalName(group: group, field: rule.field.rawValue, value: value)
      }
    }
    throw .absent
  }

  private static func value(of rule: MappingRule, in certificate: Certificate) throws(Failure) -> [UInt8]? {
    if rule.field == .spki {
      guard let key = certificate.publicKey, let digest = try? key.fingerprint() else {
        throw .malformed(.spki)
      }
      return digest.bytes
    }
    var values: [[UInt8]] = []
    for value in try texts(of: rule.field, in: certificate) {
      guard let value else { throw .malformed(rule.field) }
      if let prefix = rule.prefix, !value.starts(with: prefix.utf8) { continue }
      values.append(value)
    }
    guard let value = values.first else { return nil }
    guard values.count == 1 else { throw .several(rule.field) }
    guard isWellFormed(value) else { throw .malformed(rule.field) }
    return value
  }

  /// Nil stands for a value that is no valid text.
  private static func texts(of field: MappingRule.Field, in certificate: Certificate) throws(Failure)
    -> [[UInt8]?]
  {
    switch field {
    case .subjectCN: return certificate.subject.values(of: .commonName)
    case .subjectSerial: return certificate.subject.values(of: .serialNumber)
    case .sanURI, .sanEmail, .sanDNS: break
    case .spki: return []
    }
    guard let names = try? certificate.subjectAlternativeNames else { throw .malformed(field) }
    return names.compactMap { name in
      switch (name, field) {
      case (.uri(let bytes), .sanURI), (.email(let bytes), .sanEmail), (.dns(let bytes), .sanDNS): bytes
      case _: nil
      }
    }
  }

  private static func isWellFormed(_ value: [UInt8]) -> Bool {
    (1...longestValue).contains(value.count) && value.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
      && String(validating: value, as: UTF8.self) != nil
  }
}

extension ExternalName {
  /// 32 hexadecimal digits that stand for the name where it is no name of ours.
  var digest: String {
    let message = Array("\(group)\u{0}\(field)\u{0}".utf8) + value
    return (try? SHA256Digest(hashing: message).hexadecimal.prefix(32)).map(String.init) ?? "unnamed"
  }
}
