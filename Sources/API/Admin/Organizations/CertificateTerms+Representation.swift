import Cryptography
import JSON
import Licensing

extension CertificateTerms {
  func writeMembers(to writer: inout JSONWriter) {
    writer.member("validitySeconds", validitySeconds)
    writer.member("renewBeforeSeconds", renewBeforeSeconds)
    writer.member("overlapSeconds", overlapSeconds)
    if let keyTypes { writer.member("keyTypes", keyTypes) } else { writer.member("keyTypes", String?.none) }
    writer.member("subject", subject.word)
  }
}

extension CertificateTerms.Subject: Worded {
  var word: String {
    switch self {
    case .identityName: "identity"
    case .empty: "empty"
    }
  }
}

extension Shape<CertificateTerms> {
  private static let longest: Int64 = 315_360_000

  /// Members that are absent stay as they are in `known`; without it, null is the same as absent.
  static func certificateTerms(changing known: CertificateTerms? = nil) -> Shape {
    .object(placeholder: known ?? CertificateTerms()) { reader in
      let isNew = known == nil
      var terms = known ?? CertificateTerms()
      reader.replace("validitySeconds", .integer(60...longest), &terms.validitySeconds, orNull: isNew)
      reader.patch("renewBeforeSeconds", .integer(0...longest), &terms.renewBeforeSeconds)
      reader.replace("overlapSeconds", .integer(0...longest), &terms.overlapSeconds, orNull: isNew)
      reader.patch("keyTypes", .keyTypes, &terms.keyTypes)
      reader.replace("subject", .one(of: .identityName, .empty), &terms.subject, orNull: isNew)
      return terms
    }
  }
}

extension Shape<[String]> {
  /// Kinds of keys by their names, each once at most.
  fileprivate static var keyTypes: Shape {
    Shape<[KeyType]>.array(of: .keyType(KeyType.allCases), count: 1...KeyType.allCases.count).parsed(
      placeholder: [], expected: "kinds of keys, none of them twice"
    ) { types in
      Set(types).count == types.count ? types.map(\.rawValue) : nil
    }
  }
}
