import Cryptography
import Fixtures
import PKIX
import Testing

/// Names meet the constraints of the CAs above them (RFC 5280 section 4.2.1.10), of every kind.
struct NameConstraintTests {
  enum Side: UInt8 {
    case permitted = 0
    case excluded = 1
  }

  struct Row: CustomTestStringConvertible, Sendable {
    let side: Side
    let base: [UInt8]
    let name: GeneralName
    let isFine: Bool
    let label: String
    var testDescription: String { label }

    init(_ side: Side, _ base: [UInt8], _ name: GeneralName, _ isFine: Bool, _ label: String) {
      (self.side, self.base, self.name, self.isFine, self.label) = (side, base, name, isFine, label)
    }
  }

  static func dns(_ text: String) -> [UInt8] { DER.implicit(2, Array(text.utf8)) }
  static func email(_ text: String) -> [UInt8] { DER.implicit(1, Array(text.utf8)) }
  static func uri(_ text: String) -> [UInt8] { DER.implicit(6, Array(text.utf8)) }
  static func ip(_ bytes: [UInt8]) -> [UInt8] { DER.implicit(7, bytes) }
  static func mail(_ text: String) -> GeneralName { .email(Array(text.utf8)) }

  static let ten = ip([10, 0, 0, 0, 255, 0, 0, 0])
  static let acme = DistinguishedName(
    unchecked: DER.sequence(
      DER.set(DER.sequence(DER.objectIdentifier(ObjectIdentifier("2.5.4.10")), DER.utf8String("Acme")))))
  static func below(_ name: DistinguishedName, _ common: String) -> DistinguishedName {
    let contents = Array(name.der.dropFirst(2)) + DistinguishedName(commonName: common).der.dropFirst(2)
    return DistinguishedName(unchecked: DER.sequence(contents))
  }

  static let rows: [Row] = [
    Row(.permitted, dns("acme.example"), .dns("a.acme.example"), true, "DNS below"),
    Row(.permitted, dns("acme.example"), .dns("ACME.example"), true, "DNS itself, other case"),
    Row(.permitted, dns("acme.example"), .dns("xacme.example"), false, "DNS with a longer label"),
    Row(.permitted, dns("acme.example"), .dns("acme.example.evil.test"), false, "DNS as a prefix"),
    Row(.permitted, dns("a.acme.example"), .dns("*.acme.example"), false, "a wildcard wider than permitted"),
    Row(.excluded, dns("acme.example"), .dns("A.Acme.Example"), false, "excluded DNS, other case"),
    Row(.excluded, dns("acme.example"), .dns("other.example"), true, "DNS beside"),
    Row(.excluded, dns(""), .dns("other.example"), false, "all DNS excluded"),
    Row(.permitted, email("acme.example"), mail("a@acme.example"), true, "mail at the host"),
    Row(.permitted, email("acme.example"), mail("a@x.acme.example"), false, "mail below the host"),
    Row(.permitted, email(".acme.example"), mail("a@x.acme.example"), true, "mail below a domain"),
    Row(.permitted, email("a@acme.example"), mail("b@acme.example"), false, "another mailbox"),
    Row(.excluded, email("acme.example"), mail("a@ACME.example"), false, "excluded mail, other case"),
    Row(.permitted, uri("acme.example"), .uri("spiffe://acme.example/x"), true, "URI of the host"),
    Row(.permitted, uri("acme.example"), .uri("https://acme.example:8443/x"), true, "URI with a port"),
    Row(.permitted, uri("acme.example"), .uri("https://acme.example:1@evil.test/"), false, "a URI's user"),
    Row(.permitted, uri("acme.example"), .uri("https://acme.example:x"), false, "a URI's odd port"),
    Row(.permitted, uri("acme.example"), .uri("urn:acme.example"), false, "URI without a host"),
    Row(.excluded, uri("evil.test"), .uri("https://evil.test?/x"), false, "excluded URI with a query"),
    Row(.excluded, uri("evil.test"), .uri("https://evil.test#/x"), false, "excluded URI with a fragment"),
    Row(.excluded, uri("evil.test"), .uri("https://u@evil.test/x"), false, "excluded URI with a user"),
    Row(.excluded, uri("evil.test"), .uri("https://%65vil.test/x"), false, "excluded URI in percents"),
    Row(.excluded, uri("evil.test"), .uri("https:\\\\evil.test/x"), false, "excluded URI, backslashes"),
    Row(.excluded, uri("evil.test"), .uri("https://EVIL.test/x"), false, "excluded URI, other case"),
    Row(.excluded, uri("evil.test"), .uri("https://good.test/x"), true, "URI beside"),
    Row(.permitted, ten, .ip([10, 1, 2, 3]), true, "address inside"),
    Row(.permitted, ten, .ip([11, 1, 2, 3]), false, "address outside"),
    Row(.excluded, ten, .ip([10, 1, 2, 3]), false, "excluded address"),
    Row(
      .excluded, ten, .ip([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 10, 1, 2, 3]), true,
      "an IPv6 address is no IPv4 one"),
    Row(.excluded, ip([10, 0, 0, 0, 255, 0, 255, 0]), .ip([11, 0, 0, 1]), false, "a mask with a hole"),
    Row(.permitted, ip([10, 0, 0, 0]), .ip([10, 0, 0, 0]), false, "an address without a mask"),
    Row(
      .permitted, DER.tagged(4, acme.der), .directoryName(below(acme, "x")), true,
      "name below (the subject is not)"),
  ]

  static func constraints(_ side: Side, _ base: [UInt8]) -> CertificateExtension {
    CertificateExtension(
      ObjectIdentifier("2.5.29.30"), isCritical: true,
      contents: DER.sequence(DER.tagged(side.rawValue, DER.sequence(base))))
  }

  @Test(arguments: rows)
  func `a leaf's name obeys the constraints of the CA two above it`(row: Row) throws {
    let subject = Self.below(Self.acme, "device")
    let root = try TestAuthority.root { $0.subject = Self.acme }
    let limited = try root.intermediate("Limited") {
      $0.subject = Self.below(Self.acme, "Limited")
      $0.additionalExtensions = [Self.constraints(row.side, row.base)]
    }
    let issuing = try limited.intermediate("Issuing") { $0.subject = Self.below(Self.acme, "Issuing") }
    let leaf = try issuing.leaf {
      $0.subject = subject
      $0.names = [row.name]
    }
    let validator = try PathValidator(
      anchor: root.certificate, intermediates: [limited.certificate, issuing.certificate])
    let isFine = (try? validator.judge(leaf.certificate, at: TestClock.now)) != nil
    #expect(isFine == row.isFine)
  }

  @Test func `a subject outside the permitted names is refused`() throws {
    let base = DER.tagged(4, Self.acme.der)
    for side in [Side.permitted, .excluded] {
      let root = try TestAuthority.root { $0.additionalExtensions = [Self.constraints(side, base)] }
      let validator = try PathValidator(anchor: root.certificate)
      for (subject, isInside) in [
        (Self.below(Self.acme, "x"), true), (DistinguishedName(commonName: "x"), false),
      ] {
        let leaf = try root.leaf { $0.subject = subject }
        let isFine = (try? validator.judge(leaf.certificate, at: TestClock.now)) != nil
        #expect(isFine == (isInside == (side == .permitted)), "\(side) \(subject)")
      }
    }
  }

  @Test func `names times constraints are bounded`() throws {
    let bases = (0..<700).map { DER.sequence(Self.dns("x\($0).example")) }
    let root = try TestAuthority.root {
      $0.additionalExtensions = [
        CertificateExtension(
          ObjectIdentifier("2.5.29.30"), isCritical: true,
          contents: DER.sequence(DER.value(tag: 0xa1, bases.flatMap { $0 })))
      ]
    }
    let validator = try PathValidator(anchor: root.certificate)
    for (count, isFine) in [(80, true), (100, false)] {
      let leaf = try root.leaf { $0.names = (0..<count).map { .dns("a\($0).test") } }
      #expect(((try? validator.judge(leaf.certificate, at: TestClock.now)) != nil) == isFine, "\(count)")
    }
  }

  @Test func `a CA's path length is obeyed`() throws {
    let root = try TestAuthority.root { $0.becomeAuthority(pathLength: 0) }
    let below = try root.intermediate()
    let validator = try PathValidator(anchor: root.certificate, intermediates: [below.certificate])
    _ = try validator.judge(root.leaf().certificate, at: TestClock.now)
    let failure = #expect(throws: PathFailure.self) {
      try validator.judge(below.leaf().certificate, at: TestClock.now)
    }
    #expect(failure?.kind == .forbidden)
  }
}
