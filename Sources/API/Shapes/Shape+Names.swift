import JSON
import Licensing

extension Shape<String> {
  /// What people call it.
  static var displayName: Shape { .string(1...200) }

  /// The vendor's own id.
  static var externalID: Shape { .string(1...256) }

  /// Where people are sent: a web page or a mail address.
  static var contactURL: Shape {
    .string(1...2048, expected: "a URL that begins with https://, http:// or mailto:, without spaces") {
      text in
      ["https://", "http://", "mailto:"].contains { text.hasPrefix($0) && text.utf8.count > $0.utf8.count }
        && text.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != 0x22 && $0 != 0x3c && $0 != 0x3e }
    }
  }

  /// A host name in small letters (RFC 1123 §2.1), at least two labels.
  static var hostname: Shape {
    .string(1...253, expected: "a host name in small letters, such as licenses.example.com") { text in
      let labels = text.split(separator: ".", omittingEmptySubsequences: false)
      return labels.count > 1 && labels.allSatisfy { Slug(String($0)) != nil }
    }
  }
}

extension Shape<Slug> {
  static var slug: Shape {
    Shape<String>.string(0...256).parsed(placeholder: .example, expected: Slug.rule) { Slug($0) }
  }
}

extension Shape<ProductCode> {
  static var productCode: Shape {
    Shape<String>.string(0...256).parsed(placeholder: .example, expected: ProductCode.rule) {
      ProductCode($0)
    }
  }
}

extension Shape<IdentityName> {
  static var identityName: Shape {
    Shape<String>.string(0...512).parsed(placeholder: .example, expected: IdentityName.rule) {
      IdentityName($0)
    }
  }

  /// A name that a certificate of ours may carry.
  static var issuableName: Shape {
    Shape<String>.string(0...512).parsed(placeholder: .example, expected: IdentityName.issuableRule) { text in
      IdentityName(text).flatMap { $0.isIssuable ? $0 : nil }
    }
  }
}
