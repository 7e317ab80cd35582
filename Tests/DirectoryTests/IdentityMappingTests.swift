import Cryptography
import Fixtures
import Issuance
import Licensing
import PKIX
import Testing

@testable import Directory

struct IdentityMappingTests {
  private static let authority = try! TestAuthority.root("mapping")

  private func leaf(_ names: [GeneralName], subject: DistinguishedName = .init(commonName: "laptop")) throws
    -> Certificate
  {
    try Self.authority.leaf("laptop") { certificate in
      certificate.names = names
      certificate.subject = subject
    }.certificate
  }

  private func name(_ certificate: Certificate, _ rules: [MappingRule]) throws(IdentityMapping.Failure)
    -> String
  {
    let name = try IdentityMapping.name(of: certificate, by: rules, group: "g")
    return "\(name.field)=\(String(decoding: name.value, as: UTF8.self))"
  }

  private let uri = MappingRule(field: .sanURI), email = MappingRule(field: .sanEmail)

  @Test func `the one URI names the identity, byte for byte`() throws {
    #expect(try name(leaf([.uri(Array("urn:A/%2f".utf8))]), [uri]) == "san-uri=urn:A/%2f")
  }

  @Test func `only an absent field falls through to the next rule`() throws {
    #expect(try name(leaf([.email(Array("a@b.c".utf8))]), [uri, email]) == "san-email=a@b.c")
    #expect(
      try name(leaf([.uri(Array("urn:x".utf8)), .email(Array("a@b.c".utf8))]), [uri, email])
        == "san-uri=urn:x")
  }

  @Test func `two values refuse instead of leaving a choice`() throws {
    #expect(throws: IdentityMapping.Failure.several(.sanURI)) {
      try name(
        leaf([.uri(Array("urn:a".utf8)), .uri(Array("urn:b".utf8)), .email(Array("a@b.c".utf8))]),
        [uri, email])
    }
  }

  @Test func `a prefix picks among values, and what lacks it counts as absent`() throws {
    let rule = MappingRule(field: .sanURI, prefix: "spiffe://acme/")
    #expect(
      try name(leaf([.uri(Array("https://x".utf8)), .uri(Array("spiffe://acme/a".utf8))]), [rule])
        == "san-uri=spiffe://acme/a")
    #expect(throws: IdentityMapping.Failure.absent) {
      try name(leaf([.uri(Array("https://x".utf8))]), [rule])
    }
  }

  @Test(arguments: ["", "a\u{0}b", "a\nb", "a\u{7F}", String(repeating: "x", count: 1025)])
  func `an empty, overlong or unprintable value refuses`(_ value: String) throws {
    #expect(throws: IdentityMapping.Failure.malformed(.sanURI)) {
      try name(leaf([.uri(Array(value.utf8)), .email(Array("a@b.c".utf8))]), [uri, email])
    }
  }

  @Test func `homographs are different names`() throws {
    let latin = try name(leaf([], subject: .init(commonName: "paypal")), [MappingRule(field: .subjectCN)])
    let cyrillic = try name(leaf([], subject: .init(commonName: "pаypal")), [MappingRule(field: .subjectCN)])
    #expect(latin != cyrillic)
  }

  @Test func `a comma in a common name is part of the name`() throws {
    #expect(
      try name(leaf([], subject: .init(commonName: "a,CN=b")), [MappingRule(field: .subjectCN)])
        == "subject-cn=a,CN=b")
  }

  /// Attributes of a subject, each in an RDN of its own: object identifier's last arc under 2.5.4, string type, bytes.
  private static func subject(_ attributes: (UInt8, UInt8, [UInt8])...) throws -> DistinguishedName {
    var names: [UInt8] = []
    for (type, kind, value) in attributes {
      let pair = [0x06, 0x03, 0x55, 0x04, type, kind, UInt8(value.count)] + value
      names += [0x31, UInt8(pair.count + 2), 0x30, UInt8(pair.count)] + pair
    }
    return try #require(DistinguishedName(der: [0x30, UInt8(names.count)] + names))
  }

  @Test func `two common names refuse, and so do two URIs of which one has the prefix of the other's rule`()
    throws
  {
    let twice = try Self.subject((3, 0x0C, Array("a".utf8)), (3, 0x0C, Array("b".utf8)))
    #expect(throws: IdentityMapping.Failure.several(.subjectCN)) {
      try name(leaf([], subject: twice), [MappingRule(field: .subjectCN), email])
    }
    #expect(throws: IdentityMapping.Failure.several(.sanURI)) {
      try name(
        leaf([.uri(Array("urn:a".utf8)), .uri(Array("urn:a".utf8))]),
        [MappingRule(field: .sanURI, prefix: "urn:")])
    }
  }

  @Test func `a NUL inside a common name refuses, whatever string type hides it`() throws {
    // UTF8String, PrintableString, T61String, BMPString.
    let values: [(UInt8, [UInt8])] = [
      (0x0C, Array("admin\u{0}.evil".utf8)), (0x13, Array("admin\u{0}.evil".utf8)),
      (0x14, Array("admin\u{0}.evil".utf8)), (0x1E, [0, 0x61, 0, 0, 0, 0x62]),
    ]
    for (kind, value) in values {
      let certificate = try leaf([], subject: Self.subject((3, kind, value)))
      #expect(throws: IdentityMapping.Failure.malformed(.subjectCN), "\(kind)") {
        try name(certificate, [MappingRule(field: .subjectCN)])
      }
    }
  }

  @Test func `a comma, a quote and the text of another attribute stay inside the value they are in`() throws {
    let tricky = "Doe, CN=admin+OU=x\"\\"
    let certificate = try leaf([], subject: Self.subject((3, 0x0C, Array(tricky.utf8))))
    #expect(try name(certificate, [MappingRule(field: .subjectCN)]) == "subject-cn=" + tricky)
  }

  @Test func `an otherName is no URI, e-mail or DNS name`() throws {
    // userPrincipalName, with the text of a URI.
    let text = Array("urn:admin".utf8)
    let value =
      [0x06, 0x0A, 0x2B, 0x06, 0x01, 0x04, 0x01, 0x82, 0x37, 0x14, 0x02, 0x03]
      + [0xA0, UInt8(text.count + 2), 0x0C, UInt8(text.count)] + text
    let names = [0xA0, UInt8(value.count)] + value
    let certificate = try Self.authority.leaf("laptop") {
      $0.additionalExtensions = [
        CertificateExtension(
          ObjectIdentifier("2.5.29.17"), isCritical: false, contents: [0x30, UInt8(names.count)] + names)
      ]
    }.certificate
    for field in [MappingRule.Field.sanURI, .sanEmail, .sanDNS] {
      #expect(throws: IdentityMapping.Failure.absent) { try name(certificate, [MappingRule(field: field)]) }
    }
  }

  @Test(arguments: ["urn:Admin", "urn:admin ", "urn:admin/", "urn:%61dmin", "urn:аdmin", "urn:admin\u{301}"])
  func `what merely resembles a name is another name`(_ value: String) throws {
    let real = try IdentityMapping.name(of: leaf([.uri(Array("urn:admin".utf8))]), by: [uri], group: "g")
    let other = try IdentityMapping.name(of: leaf([.uri(Array(value.utf8))]), by: [uri], group: "g")
    #expect(real != other && real.digest != other.digest)
  }

  @Test func `the same value in another field or group is another name`() throws {
    let certificate = try leaf([.uri(Array("a@b.c".utf8)), .email(Array("a@b.c".utf8))])
    let names = try [
      IdentityMapping.name(of: certificate, by: [uri], group: "g"),
      IdentityMapping.name(of: certificate, by: [email], group: "g"),
      IdentityMapping.name(of: certificate, by: [uri], group: "h"),
    ]
    #expect(Set(names.map(\.digest)).count == 3)
  }

  @Test func `without any field nobody is named`() throws {
    #expect(throws: IdentityMapping.Failure.absent) {
      try name(leaf([.dns(Array("a.b".utf8))]), [uri, email])
    }
  }

  @Test func `a key is named by the digest of its public half`() throws {
    let certificate = try leaf([])
    let name = try IdentityMapping.name(of: certificate, by: MappingRule.standard, group: "g")
    #expect(name.field == "spki")
    #expect(try name.value == SHA256Digest(hashing: certificate.subjectPublicKeyInfo).bytes)
  }
}
