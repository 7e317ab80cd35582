import Issuance
import JSON
import Licensing
import Testing

@testable import API

@Suite("Resources as JSON")
struct RepresentationTests {
  private func text(_ value: some Representation) -> String {
    var writer = JSONWriter()
    value.write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private static let tail = """
    "externalId":null,"metadata":{"crm":"4711"},"createdAt":"2026-11-30T01:02:03Z","updatedAt":"2026-11-30T01:03:03Z"}
    """

  @Test("an organization")
  func organization() {
    #expect(
      text(Samples.organization) == """
        {"id":"01900000-0000-7000-8000-000000000001","slug":"acme","name":"Acme","status":"active",\
        "contactUrl":"mailto:it@acme.example","hostname":null,"renewAfterExpirySeconds":2592000,\
        "certificates":{"validitySeconds":2592000,"renewBeforeSeconds":null,"overlapSeconds":2592000,"keyTypes":null,\
        "subject":"identity"},\(Self.tail)
        """)
    #expect(Samples.organization.entityTag == "\"3\"")
  }

  @Test("a license, with its usage")
  func license() {
    #expect(
      text(
        Samples.license(held: 2, features: ["pdf": .flag(true), "cores": .integer(8), "rate": .number(1.5)]))
          == """
          {"id":"01900000-0000-7000-8000-000000000001","product":"studio","model":"floating","status":"active",\
          "seats":5,"overdraft":0,"overdraftUntil":null,"leaseSeconds":600,"graceSeconds":0,"startsAt":null,\
          "expiresAt":"2026-11-30T01:02:03Z","features":{"cores":8,"pdf":true,"rate":1.5},"assignment":"manual",\
          "reassignSeconds":0,"maxBorrowSeconds":0,"unborrowableSeats":0,\
          "usage":{"held":2,"reserved":0,"available":3,"excess":0},\(Self.tail)
          """)
  }

  @Test("a token, never with its secret")
  func token() {
    let view = TokenView(token: Samples.token(.admin, of: .example).token, organization: .example)
    #expect(
      text(view) == """
        {"id":"01900000-0000-7000-8000-000000000001","name":"ci","role":"admin","organization":"acme",\
        "expiresAt":null,"lastUsedAt":null,\(Self.tail)
        """)
  }

  @Test("an identity that an external CA names by its key shows the key's digest in hexadecimal")
  func externalIdentity() throws {
    let digest = String(repeating: "0f", count: 32)
    let external = try #require(ExternalName(digest, field: .spki, group: "g"))
    #expect(external.value == [UInt8](repeating: 15, count: 32))
    #expect(ExternalName("0f", field: .spki, group: "g") == nil)
    let identity = Identity(
      record: Samples.record(), organization: Key(1), name: .example, role: .device,
      attributes: ["os": "macOS"],
      status: .suspended, external: external)
    #expect(
      text(identity) == """
        {"id":"01900000-0000-7000-8000-000000000001","name":"laptop-7","role":"device","status":"suspended",\
        "attributes":{"os":"macOS"},"external":{"group":"g","field":"spki","value":"\(digest)"},"lastSeenAt":null,\(Self.tail)
        """)
  }

  @Test("an enrollment's status follows its uses and the clock")
  func enrollment() {
    func status(used: Int32 = 0, revoked: Bool = false, after seconds: Int64 = 0) -> Enrollment.Status {
      Enrollment(
        record: Samples.record(), organization: Key(1), identity: nil, identityName: nil, license: nil,
        uses: 2,
        used: used, expiresAt: Samples.time, isRevoked: revoked, lastUse: nil
      ).status(at: Samples.time.adding(seconds: seconds))
    }
    #expect(status(after: -1) == .open)
    #expect(status() == .expired)
    #expect(status(used: 2, after: -1) == .spent)
    #expect(status(used: 2, revoked: true) == .revoked)
  }

  @Test(
    "a certificate is named by fingerprint or serial number, of any case, colons or not",
    arguments: [
      ("0A:bc", CertificateReference.serialNumber("0abc")), ("abc", .serialNumber("0abc")),
      ("00ff", .serialNumber("ff")),
      (String(repeating: "Ab:", count: 31) + "aB", .fingerprint([UInt8](repeating: 0xab, count: 32))),
      (String(repeating: "ab", count: 32), .fingerprint([UInt8](repeating: 0xab, count: 32))),
    ] as [(String, CertificateReference)])
  func references(text: String, reference: CertificateReference) {
    #expect(CertificateReference(text) == reference)
  }

  @Test("what names no certificate", arguments: ["", ":", "xyz", "0x12", "a b"])
  func noReference(text: String) {
    #expect(CertificateReference(text) == nil)
  }
}
