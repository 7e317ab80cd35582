public import Issuance
public import PKIX

extension MatchRule {
  /// Whether the authority's rule admits this certificate; a malformed extension does not pass for an absent one.
  public func admits(_ certificate: Certificate) -> Bool {
    if !extendedKeyUsages.isEmpty {
      guard let usages = (try? certificate.extendedKeyUsage) ?? nil,
        extendedKeyUsages.allSatisfy({ wanted in usages.contains { $0.dotted == wanted } })
      else { return false }
    }
    if !policies.isEmpty {
      guard let stated = try? certificate.certificatePolicies,
        policies.allSatisfy({ wanted in stated.contains { $0.dotted == wanted } })
      else { return false }
    }
    if let organizationalUnit {
      guard certificate.subject.values(of: .organizationalUnit).contains(Array(organizationalUnit.utf8))
      else {
        return false
      }
    }
    if let uriPrefix {
      guard let names = try? certificate.subjectAlternativeNames else { return false }
      return names.contains { name in
        if case .uri(let bytes) = name { bytes.starts(with: uriPrefix.utf8) } else { false }
      }
    }
    return true
  }
}
