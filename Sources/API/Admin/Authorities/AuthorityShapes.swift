import Cryptography
import HTTP
import Issuance
import JSON
import PKIX

extension Shape<KeyType> {
  static func keyType(_ types: [KeyType]) -> Shape {
    Shape<String>.string(0...64).parsed(
      placeholder: .p256, expected: "one of " + types.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    ) { word in
      KeyType(rawValue: word).flatMap { types.contains($0) ? $0 : nil }
    }
  }
}

extension Shape<[Certificate]> {
  /// PEM of so many certificates and nothing else of use.
  static func certificates(count: ClosedRange<Int>) -> Shape {
    let wanted =
      count == 1...1 ? "one PEM certificate" : "\(count.lowerBound) to \(count.upperBound) PEM certificates"
    return Shape<String>.text(1...65_536).parsed(placeholder: [], expected: wanted) { text in
      guard let certificates = try? Certificate.all(inPEM: Array(text.utf8)),
        count.contains(certificates.count)
      else { return nil }
      return certificates
    }
  }
}

extension Shape<[MappingRule]> {
  static var mapping: Shape { .array(of: .mappingRule, count: 1...8) }
}

extension Shape<MappingRule> {
  fileprivate static var mappingRule: Shape {
    .object(placeholder: MappingRule(field: .sanURI)) { reader in
      MappingRule(
        field: reader.required("field", .choice(.sanURI)), prefix: reader.optional("prefix", .string(1...256))
      )
    }
  }
}

extension Shape<MatchRule> {
  static var match: Shape {
    .object(placeholder: MatchRule()) { reader in
      MatchRule(
        extendedKeyUsages: reader.optional("extendedKeyUsages", .array(of: .dotted, count: 0...16)) ?? [],
        policies: reader.optional("policies", .array(of: .dotted, count: 0...16)) ?? [],
        organizationalUnit: reader.optional("organizationalUnit", .string(1...128)),
        uriPrefix: reader.optional("uriPrefix", .string(1...256)))
    }
  }
}

extension Shape<String> {
  /// A key in a token (RFC 7512). A PIN has no business in it: it would be stored and shown.
  static var keyURI: Shape {
    .string(8...512, expected: "a PKCS#11 URI such as pkcs11:token=usher;object=acme, without a PIN") {
      $0.hasPrefix("pkcs11:") && $0.utf8.allSatisfy { (0x21...0x7e).contains($0) } && !$0.contains("pin-")
    }
  }

  fileprivate static var dotted: Shape {
    .string(3...128, expected: "an object identifier in dotted decimal, such as 1.3.6.1.5.5.7.3.2") { text in
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      return parts.count > 1
        && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }
    }
  }
}

extension ExternalTerms {
  static func checked(
    mapping: [MappingRule]?, match: MatchRule?, autoProvision: Bool, allowsMissingClientAuth: Bool
  ) throws(Problem) -> ExternalTerms {
    do throws(ExternalTerms.Objection) {
      return try ExternalTerms(
        mapping: mapping, match: match, autoProvision: autoProvision,
        allowsMissingClientAuth: allowsMissingClientAuth)
    } catch {
      throw Problem.invalid("/\(error.member)", error.reason)
    }
  }
}
