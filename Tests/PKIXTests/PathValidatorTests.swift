import Cryptography
import Fixtures
import PKIX
import Testing

struct PathValidatorTests {
  static let now = TestClock.now

  func failure(_ body: () throws -> PathVerdict) -> PathFailure? {
    #expect(throws: PathFailure.self) { try body() }
  }

  @Test func `a leaf of the anchor is valid, from its first through its last second`() throws {
    let root = try TestAuthority.root()
    let leaf = try root.leaf().certificate
    let validator = try PathValidator(anchor: root.certificate)
    let path = try validator.judge(leaf, at: Self.now).path
    #expect(path.certificates == [leaf, root.certificate])
    #expect(path.notAfter == leaf.notAfter)
    #expect(try validator.judge(leaf, at: leaf.notBefore) == .valid(path))
    #expect(try validator.judge(leaf, at: leaf.notAfter) == .valid(path))
    #expect(try validator.judge(leaf, at: Self.now) == .valid(path))
  }

  @Test func `a leaf outside its time on a trusted path is told apart from one that is not trusted`() throws {
    let root = try TestAuthority.root { $0.notBefore = Self.now - 864_000 }
    let validator = try PathValidator(anchor: root.certificate)
    let expired = try root.leaf(with: .expired).certificate
    let early = try root.leaf(with: .notYetValid).certificate
    guard case .expired(let path) = try validator.judge(expired, at: Self.now) else {
      Issue.record("not expired")
      return
    }
    #expect(path.leaf == expired)
    guard case .notYetValid = try validator.judge(early, at: Self.now) else {
      Issue.record("not early")
      return
    }
    let stranger = try TestAuthority.root()
    #expect(failure { try validator.judge(stranger.leaf(with: .expired).certificate, at: Self.now) } != nil)
    // Expired and for the wrong purpose is the wrong purpose.
    let server = try root.leaf {
      $0.notAfter = Self.now - 60
      $0.extendedKeyUsage = [.serverAuth]
    }
    #expect(failure { try validator.judge(server.certificate, at: Self.now) }?.kind == .wrongPurpose)
  }

  @Test func `what an expired CA signed is not trusted, whatever the leaf's time`() throws {
    let root = try TestAuthority.root()
    let old = try root.intermediate { $0.notAfter = Self.now - 60 }
    let new = try root.intermediate { $0.notBefore = Self.now + 60 }
    let validator = try PathValidator(
      anchor: root.certificate, intermediates: [old.certificate, new.certificate])
    #expect(failure { try validator.judge(old.leaf().certificate, at: Self.now) }?.kind == .expired)
    #expect(
      failure { try validator.judge(old.leaf(with: .expired).certificate, at: Self.now) }?.kind == .expired)
    #expect(failure { try validator.judge(new.leaf().certificate, at: Self.now) }?.kind == .notYetValid)
    let dead = try TestAuthority.root { $0.notAfter = Self.now - 1 }
    let failure = failure {
      try PathValidator(anchor: dead.certificate).judge(dead.leaf().certificate, at: Self.now)
    }
    #expect(failure?.kind == .expired && failure?.role == .anchor)
  }

  @Test func `known intermediates complete a leaf sent alone, and an expired twin hides nothing`() throws {
    let root = try TestAuthority.root()
    let issuing = try root.intermediate("Issuing")
    let twin = try root.intermediate("Issuing", key: issuing.key) { $0.notAfter = Self.now - 60 }
    let leaf = try issuing.leaf().certificate
    let known = try PathValidator(
      anchor: root.certificate, intermediates: [twin.certificate, issuing.certificate])
    #expect(
      try known.judge(leaf, at: Self.now).path.certificates == [leaf, issuing.certificate, root.certificate])
    let bare = try PathValidator(anchor: root.certificate)
    #expect(failure { try bare.judge(leaf, at: Self.now) }?.kind == .unknownIssuer)
    #expect(
      try bare.judge(leaf, presented: [twin.certificate, issuing.certificate], at: Self.now).path.leaf == leaf
    )
    // The intermediate may be the anchor itself, and the root above it then means nothing.
    let partial = try PathValidator(anchor: issuing.certificate)
    #expect(
      try partial.judge(leaf, presented: [root.certificate], at: Self.now).path.certificates
        == [leaf, issuing.certificate])
  }

  @Test func `a CA of the same name and key identifier with another key is nobody`() throws {
    let root = try TestAuthority.root("Same Name")
    let identifier = try root.certificate.subjectKeyIdentifier
    let impostor = try TestAuthority.root("Same Name") { $0.subjectKeyIdentifier = identifier }
    let leaf = try impostor.leaf().certificate
    let validator = try PathValidator(anchor: root.certificate)
    let failure = failure { try validator.judge(leaf, presented: [impostor.certificate], at: Self.now) }
    #expect(failure?.kind == .badSignature)
    #expect(try PathValidator(anchor: impostor.certificate).judge(leaf, at: Self.now).path.leaf == leaf)
  }

  @Test(arguments: [
    (TestAuthority.Fault.serverAuthOnly, PathFailure.Kind.wrongPurpose), (.anyPurpose, .wrongPurpose),
    (.noPurpose, .wrongPurpose), (.emptyPurpose, .malformed), (.authorityAsLeaf, .forbidden),
    (.version1, .forbidden), (.serialZero, .forbidden), (.serialNegative, .forbidden),
    (.serialTooLong, .forbidden), (.unknownCriticalExtension, .forbidden), (.duplicateExtension, .malformed),
    (.nameConstraints, .forbidden), (.noDigitalSignature, .wrongPurpose),
  ])
  func `a leaf with one fault is refused for it`(fault: TestAuthority.Fault, kind: PathFailure.Kind) throws {
    let root = try TestAuthority.root()
    let validator = try PathValidator(anchor: root.certificate)
    let failure = failure { try validator.judge(root.leaf(with: fault).certificate, at: Self.now) }
    #expect(failure?.kind == kind, "\(failure?.description ?? "")")
  }

  @Test func `an authority may allow that the purpose is missing, and nothing more`() throws {
    let root = try TestAuthority.root()
    var policy = PathPolicy()
    policy.permitsMissingPurpose = true
    let validator = try PathValidator(anchor: root.certificate, policy: policy)
    _ = try validator.judge(root.leaf(with: .noPurpose).certificate, at: Self.now)
    for fault in [TestAuthority.Fault.serverAuthOnly, .anyPurpose, .emptyPurpose] {
      #expect(failure { try validator.judge(root.leaf(with: fault).certificate, at: Self.now) } != nil)
    }
  }

  @Test func `self-signed leaves and the anchor itself are refused`() throws {
    let root = try TestAuthority.root()
    let validator = try PathValidator(anchor: root.certificate)
    #expect(failure { try validator.judge(root.certificate, at: Self.now) } != nil)
    let alone = try TestAuthority.root("device") {
      $0.basicConstraints = BasicConstraints(isAuthority: false)
      $0.keyUsage = [.digitalSignature]
      $0.extendedKeyUsage = [.clientAuth]
    }
    #expect(failure { try validator.judge(alone.certificate, at: Self.now) }?.kind == .unknownIssuer)
  }

  @Test func `names outside the constraints of a CA are refused, wildcards over excluded names too`() throws {
    let host = "acme.usher.example"
    let root = try TestAuthority.root { $0.additionalExtensions = [.nameConstraints(permittedURIHost: host)] }
    let validator = try PathValidator(anchor: root.certificate)
    let mine = try root.leaf { $0.names = [.uri("spiffe://\(host)/laptop")] }
    _ = try validator.judge(mine.certificate, at: Self.now)
    for uri in [
      "spiffe://other.usher.example/x", "spiffe://x.\(host)/x", "spiffe://usher.example/x", "urn:x:y",
    ] {
      let leaf = try root.leaf { $0.names = [.uri(uri)] }
      #expect(failure { try validator.judge(leaf.certificate, at: Self.now) } != nil, "\(uri)")
    }
  }

  @Test func `what comes along is bounded`() throws {
    let root = try TestAuthority.root()
    let leaf = try root.leaf().certificate
    let other = try TestAuthority.root().certificate
    let validator = try PathValidator(anchor: root.certificate)
    _ = try validator.judge(leaf, presented: Array(repeating: other, count: 10), at: Self.now)
    #expect(
      failure { try validator.judge(leaf, presented: Array(repeating: other, count: 11), at: Self.now) }
        != nil)
    var issuer = root
    var chain: [Certificate] = []
    for level in 1...6 {
      issuer = try issuer.intermediate("Level \(level)")
      chain.append(issuer.certificate)
      let failure: PathFailure?
      do {
        _ = try validator.judge(issuer.leaf().certificate, presented: chain, at: Self.now)
        failure = nil
      } catch { failure = error as? PathFailure }
      #expect((failure == nil) == (level <= 5), "level \(level)")
    }
  }

  @Test func `what Usher issues, Usher accepts`() throws {
    let authority = try IssuingTests.root()
    let profile = LeafProfile(commonName: "x", uri: "spiffe://acme.usher.example/x", lifetime: 86_400)
    let leaf = try authority.issue(
      profile, to: IssuingTests.request(PrivateKey(generating: .p256)), at: Self.now)
    let validator = try PathValidator(anchor: authority.certificate)
    #expect(try validator.judge(leaf, at: Self.now) == .valid(validator.judge(leaf, at: Self.now).path))
    #expect(try AnchorCheck.warnings(on: authority.certificate, at: Self.now).isEmpty)
  }
}
