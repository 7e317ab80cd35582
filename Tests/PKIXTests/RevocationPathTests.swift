import Cryptography
import Fixtures
import PKIX
import Testing

/// Revocation lists meet paths.
struct RevocationPathTests {
  static let now = TestClock.now
  let root: TestAuthority
  let issuing: TestAuthority
  let leaf: Certificate
  let validator: PathValidator

  init() throws {
    root = try .root()
    issuing = try root.intermediate("Issuing")
    leaf = try issuing.leaf().certificate
    validator = try PathValidator(anchor: root.certificate, intermediates: [issuing.certificate])
  }

  func accept(_ contents: TestRevocationList, by authority: TestAuthority) throws -> AcceptedRevocationList {
    try validator.accept(RevocationList(contents.signed(by: authority)), at: Self.now)
  }

  func refusal(_ contents: TestRevocationList, by authority: TestAuthority) -> RevocationListError? {
    #expect(throws: RevocationListError.self) { try accept(contents, by: authority) }
  }

  @Test func `a revoked leaf is a verdict, also when it has expired`() throws {
    let list = try accept(TestRevocationList(revoking: leaf, reason: .superseded), by: issuing)
    for time in [Self.now, leaf.notBefore] {
      guard case .revoked(let path, let entry) = try validator.judge(leaf, revocations: [list], at: time)
      else {
        Issue.record("not revoked")
        return
      }
      #expect(path.leaf == leaf && entry.reason == .superseded)
    }
    let other = try issuing.leaf().certificate
    guard case .valid = try validator.judge(other, revocations: [list], at: Self.now) else {
      Issue.record("the wrong one is revoked")
      return
    }
  }

  @Test func `a list revokes only what its own issuer signed`() throws {
    let twin = try root.leaf { $0.serialNumber = leaf.serialNumber.bytes }.certificate
    let list = try accept(TestRevocationList(revoking: leaf), by: issuing)
    guard case .valid = try validator.judge(twin, revocations: [list], at: Self.now) else {
      Issue.record("revoked by a list of another CA")
      return
    }
  }

  @Test func `a revoked intermediate trusts nobody, unless a renewed certificate of it does`() throws {
    let list = try accept(TestRevocationList(revoking: issuing.certificate), by: root)
    let failure = #expect(throws: PathFailure.self) {
      try validator.judge(leaf, revocations: [list], at: Self.now)
    }
    #expect(failure?.kind == .revoked && failure?.role == .intermediate)
    let renewed = try root.intermediate("Issuing", key: issuing.key)
    guard
      case .valid(let path) = try validator.judge(
        leaf, presented: [renewed.certificate], revocations: [list], at: Self.now)
    else {
      Issue.record("not valid")
      return
    }
    #expect(path.intermediates == [renewed.certificate])
    // What the CA had revoked under its old certificate stays revoked under the new one: it is the same key.
    let own = try accept(TestRevocationList(revoking: leaf), by: issuing)
    guard
      case .revoked = try validator.judge(
        leaf, presented: [renewed.certificate], revocations: [list, own], at: Self.now)
    else {
      Issue.record("not revoked")
      return
    }
  }

  @Test func `a list is taken from a trusted key alone`() throws {
    #expect(try refusal(TestRevocationList(), by: .root("Stranger")) == .wrongIssuer)
    #expect(try refusal(TestRevocationList(), by: .root("Issuing")) == .badSignature)
    var early = TestRevocationList()
    early.thisUpdate = Self.now + 3600
    early.nextUpdate = Self.now + 7200
    #expect(refusal(early, by: root) == .notYetValid)
    let stale = TestRevocationList { $0.nextUpdate = Self.now - 1 }
    #expect(try accept(stale, by: root).list.isStale(at: Self.now))
    // A leaf of the CA signs no list, though its name is found.
    let device = try issuing.leaf("device", key: issuing.key) { $0.extendedKeyUsage = [.clientAuth] }
    let list = try RevocationList(TestRevocationList().signed(by: TestAuthority(identity: device)))
    #expect(throws: RevocationListError.self) {
      try validator.accept(list, presented: [device.certificate], at: Self.now)
    }
  }

  @Test func `an issuer that may not sign lists, or is not trusted itself, has no list`() throws {
    let silent = try root.intermediate("Silent") { $0.keyUsage = [.keyCertSign] }
    let expired = try root.intermediate("Expired") { $0.notAfter = Self.now - 1 }
    let unlimited = try root.intermediate("Unlimited") { $0.keyUsage = nil }
    let stranger = try TestAuthority.root("Another").intermediate("Under another")
    let presented = [silent, expired, unlimited, stranger].map(\.certificate)
    func error(_ authority: TestAuthority) throws -> RevocationListError? {
      let list = try RevocationList(TestRevocationList().signed(by: authority))
      do {
        _ = try validator.accept(list, presented: presented, at: Self.now)
        return nil
      } catch { return error }
    }
    #expect(try error(silent) == .issuerMayNotSign)
    guard case .issuerNotTrusted(let failure) = try error(expired) else {
      Issue.record("an expired issuer")
      return
    }
    #expect(failure.kind == .expired)
    #expect(try error(unlimited) == nil)
    guard case .issuerNotTrusted(let other) = try error(stranger) else {
      Issue.record("a stranger's intermediate")
      return
    }
    #expect(other.kind == .unknownIssuer)
  }
}
