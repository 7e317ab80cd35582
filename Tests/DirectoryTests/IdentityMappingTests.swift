import Cryptography
import Directory
import Fixtures
import Issuance
import Licensing
import PKIX
import Testing

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
