import Fixtures
import PKIX
import Testing

@testable import UsherCommand

struct VerifyChainTests {
  private let folder: TemporaryFolder
  private let root: TestAuthority
  private let issuing: TestAuthority
  private let leaf: Certificate
  private let anchor, untrusted, file: String

  init() throws {
    folder = try TemporaryFolder()
    root = try .root()
    issuing = try root.intermediate()
    leaf = try issuing.leaf().certificate
    anchor = try folder.write(root.certificate.pem, to: "anchor.pem")
    untrusted = try folder.write(issuing.certificate.pem, to: "untrusted.pem")
    file = try folder.write(leaf.der, to: "leaf.der")
  }

  private func verify(_ more: String...) async -> Screen {
    await Screen.after(["verify-chain", "--anchor", anchor, "--untrusted", untrusted] + more + [file])
  }

  @Test func `a chain that leads to an anchor is one line and success`() async throws {
    let screen = await verify()
    #expect(screen.code == .success && screen.printed == "SUCCESS: under CN=Test Root, 1 between\n")
    // Of several anchors one is enough, and each is tried alone.
    let both = try folder.write(
      TestAuthority.root("Other").certificate.pem + root.certificate.pem, to: "both.pem")
    let among = await Screen.after("verify-chain", "--anchor", both, "--untrusted", untrusted, file)
    #expect(among.code == .success)
  }

  @Test func `a chain that does not is one line with the reason, and a code for scripts`() async throws {
    let screen = await Screen.after("verify-chain", "--anchor", anchor, file)
    #expect(screen.code == .failure && screen.printed == "FAILURE: no path leads to the anchor\n")
    let late = await verify("--at", "2999-01-01T00:00:00Z")
    #expect(late.code == .failure && late.printed.hasPrefix("FAILURE: the anchor: it has expired"))
  }

  @Test func `a revoked certificate is refused, and a list of somebody else changes nothing`() async throws {
    let list = try RevocationList(
      TestRevocationList(revoking: leaf, reason: .keyCompromise).signed(by: issuing))
    let revoked = await verify("--crl", try folder.write(list.pem, to: "list.pem"))
    #expect(revoked.code == .failure)
    #expect(revoked.printed == "FAILURE: the certificate is revoked (keyCompromise)\n")
    let other = try TestRevocationList(revoking: leaf).signed(by: .root("Other"))
    let ignored = await verify("--crl", try folder.write(other, to: "other.crl"))
    #expect(ignored.code == .success && ignored.errors.contains("of no CA on the path"))
    let forged = try TestRevocationList().signed(by: .root("Test Intermediate"))
    let refused = await verify("--crl", try folder.write(forged, to: "forged.crl"))
    #expect(refused.code == .failure && refused.printed.contains("signature does not verify"))
    let stale = try TestRevocationList { $0.nextUpdate = TestClock.now - 1 }.signed(by: issuing)
    let warned = await verify("--crl", try folder.write(stale, to: "stale.crl"))
    #expect(warned.code == .success && warned.errors.contains("past its nextUpdate"))
  }

  @Test(arguments: [
    (["--at", "yesterday"], "--at is \"yesterday\"; allowed: a time as in"),
    (["--crl", "/nonexistent"], "/nonexistent"),
    (["--crl", "/etc/hostname"], ""),
  ])
  func `what cannot be read is named`(more: [String], message: String) async {
    let screen = await Screen.after(["verify-chain", "--anchor", anchor] + more + [file])
    #expect(message.isEmpty || screen.errors.contains(message))
    #expect(screen.code == .failure)
  }

  @Test func `a leaf and its anchor belong together`() async {
    #expect(await Screen.after("verify-chain", file).errors.contains("--anchor FILE must be given"))
    #expect(await Screen.after("verify-chain", "--anchor", anchor).errors.contains("LEAF must be given"))
  }

  @Test func `JSON that holds no cases is refused`() throws {
    for text in ["", "{}", "[]", #"{"testcases": 1}"#] {
      #expect(throws: CommandFailure.self) { try ChainSuite.answer(to: Array(text.utf8), now: 0) }
    }
    let unreadable = #"{"testcases": [{"id": "x", "peer_certificate": "no"}]}"#
    #expect(try ChainSuite.answer(to: Array(unreadable.utf8), now: 0).contains("FAILURE"))
  }
}
