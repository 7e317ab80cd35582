import Cryptography
import Fixtures
import PKIX
import Testing

struct AnchorCheckTests {
  static let now = TestClock.now

  @Test func `a plain CA by openssl registers, and what is odd about it is said`() throws {
    let pem = try OpenSSLTool.run([
      "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "/dev/null", "-subj", "/CN=Plain", "-days",
      "365",
    ])
    #expect(
      try AnchorCheck.warnings(on: Certificate(pem: pem), at: Self.now + 600) == [
        "It has no key usage extension."
      ])
  }

  @Test func `a root as AD CS makes it registers`() throws {
    let root = try TestAuthority.root("corp-DC1-CA") {
      $0.keyUsage = nil
      $0.notAfter = Self.now + 5 * 365 * 86_400
      $0.authorityKeyIdentifier = []
      $0.additionalExtensions = [
        .keyUsage([.digitalSignature, .keyCertSign, .crlSign], isCritical: false),
        CertificateExtension(ObjectIdentifier("1.3.6.1.4.1.311.21.1"), contents: [0x02, 0x01, 0x00]),
      ]
    }
    #expect(try AnchorCheck.warnings(on: root.certificate, at: Self.now).isEmpty)
    _ = try PathValidator(anchor: root.certificate).judge(root.leaf().certificate, at: Self.now)
  }

  @Test func `harmless oddities are warnings`() throws {
    let root = try TestAuthority.root()
    let odd = try root.intermediate {
      $0.notBefore = Self.now + 10
      $0.basicConstraints = nil
      $0.subjectKeyIdentifier = []
      $0.serialNumber = [0]
      $0.additionalExtensions = [.basicConstraints(BasicConstraints(isAuthority: true), isCritical: false)]
    }
    let warnings = try AnchorCheck.warnings(on: odd.certificate, at: Self.now)
    for part in [
      "not critical", "no subject key identifier", "not positive", "not self-signed", "90 days",
      "not valid yet",
    ] {
      #expect(warnings.contains { $0.contains(part) }, "\(part)")
    }
    _ = try PathValidator(anchor: odd.certificate).judge(
      odd.leaf { $0.authorityKeyIdentifier = [] }.certificate, at: Self.now + 10)
  }

  @Test func `what cannot be an anchor is refused`() throws {
    let changes: [(String, (inout TestCertificate) -> Void)] = [
      ("is a CA", { $0.basicConstraints = BasicConstraints(isAuthority: false) }),
      ("is a CA", { $0.basicConstraints = nil }),
      ("keyCertSign", { $0.keyUsage = [.digitalSignature] }),
      ("expired", { $0.notAfter = Self.now - 1 }),
      ("version", { $0.version = 0 }),
      ("clientAuth", { $0.extendedKeyUsage = [.serverAuth] }),
      ("twice", { $0.additionalExtensions = [.keyUsage([.keyCertSign])] }),
      (
        "constraints are empty",
        {
          $0.additionalExtensions = [
            CertificateExtension(ObjectIdentifier("2.5.29.30"), isCritical: true, contents: [0x30, 0x00])
          ]
        }
      ),
      (
        "critical",
        {
          $0.additionalExtensions = [
            CertificateExtension(ObjectIdentifier("1.2.3"), isCritical: true, contents: [0x05, 0x00])
          ]
        }
      ),
    ]
    for (reason, change) in changes {
      let root = try TestAuthority.root("Faulty", change)
      let error = #expect(throws: PathFailure.self, "\(reason)") {
        try AnchorCheck.warnings(on: root.certificate, at: Self.now)
      }
      #expect(error?.description.contains(reason) == true, "\(reason): \(error?.description ?? "")")
    }
  }
}
