import Cryptography
import Fixtures
import PKIX
import Testing

/// A certificate that shows who holds a CA's key.
struct ProofOfKeyTests {
  let root: TestAuthority
  let validator: PathValidator

  init() throws {
    root = try .root()
    validator = try PathValidator(anchor: root.certificate, policy: .proofOfKey)
  }

  func proves(_ certificate: Certificate, presented: [Certificate] = []) -> Bool {
    (try? validator.judge(certificate, presented: presented, at: TestClock.now)) != nil
  }

  @Test(arguments: [
    TestAuthority.Fault.noPurpose, .serverAuthOnly, .anyPurpose, .expired, .notYetValid, .version1,
    .serialZero,
    .noDigitalSignature,
  ])
  func `what it would be good for does not matter`(fault: TestAuthority.Fault) throws {
    #expect(try proves(root.leaf(with: fault).certificate))
  }

  @Test func `only the key itself counts, and a signature that cannot be forged`() throws {
    let below = try root.intermediate()
    #expect(try !proves(below.leaf().certificate, presented: [below.certificate]))
    #expect(try !proves(TestAuthority.root("Test Root").leaf().certificate))
    #expect(!proves(root.certificate) && !proves(below.certificate))
    #expect(try !proves(root.leaf(with: .duplicateExtension).certificate))
    let folder = try TemporaryFolder()
    let key = try folder.write(String(decoding: root.key.secretPEM(), as: UTF8.self), to: "ca.key")
    let certificate = try folder.write(root.certificate.pem, to: "ca.pem")
    let request = try folder.write(
      String(decoding: CertificationRequestTests.request(), as: UTF8.self), to: "request.pem")
    for (digest, isFine) in [("-sha256", true), ("-sha1", false)] {
      let proof = try OpenSSLTool.run([
        "x509", "-req", "-in", request, "-CA", certificate, "-CAkey", key, digest,
      ])
      #expect(try proves(Certificate(pem: proof)) == isFine, "\(digest)")
    }
  }
}
