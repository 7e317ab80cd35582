internal import Cryptography
public import Licensing
public import PKIX

/// Makes and registers the CAs of organizations; what it returns is ready to be stored.
public struct AuthorityFounding: Sendable {
  /// How long a challenge may be answered, in seconds.
  public static let challengeSeconds: Int64 = 86_400

  /// More keys are asked for than can be made soon.
  public struct Busy: Error, Sendable {}

  let keys: AuthorityKeys
  let policy: IssuancePolicy
  let clock: @Sendable () -> Int64
  let maker = KeyMaker()

  public init(keys: AuthorityKeys, policy: IssuancePolicy, clock: @escaping @Sendable () -> Int64) {
    self.keys = keys
    self.policy = policy
    self.clock = clock
  }

  /// Founds a CA whose key the service holds, able to sign for identities of its organization alone.
  ///
  /// - Throws: `Busy`, `TokenObjection`, `IssuingError`, `OpenSSLError`.
  public func found(
    _ source: KeySource, named name: String?, record: NewRecord, for organization: Organization
  ) async throws -> NewAuthority {
    var authority = NewAuthority(
      record: record, organization: organization.record.key, kind: .managed, status: .active)
    authority.name = name
    let signer = try await takeKey(source, for: &authority, of: organization)
    authority.certificate = try await root(signer, named: name, of: organization)
    return authority
  }

  /// Off the event loops: an RSA signature takes milliseconds, a token's longer.
  @concurrent
  private func root(
    _ signer: any Signer, named name: String?, of organization: Organization
  ) async throws -> AnchorFacts {
    try AnchorFacts(
      IssuingAuthority.root(profile(named: name, of: organization), signer: signer, at: clock()).certificate)
  }

  /// What people see as the issuer, within the 64 characters of a common name, and whose URIs it may certify.
  func profile(named name: String?, of organization: Organization) -> RootProfile {
    RootProfile(
      commonName: String((name ?? "\(organization.slug) device CA").unicodeScalars.prefix(64)),
      permittedURIHost: policy.host(of: organization))
  }

  /// Takes in an organization's own CA: pending until its key is proven, or active when an operator vouches for it.
  ///
  /// - Throws: `PathFailure` when no certificate could ever be trusted under it.
  public func register(
    _ anchor: Certificate, intermediates: [Certificate], terms: ExternalTerms, named name: String?,
    group: String?,
    record: NewRecord, for organization: Organization, isTrusted: Bool
  ) throws -> NewAuthority {
    let warnings = try AnchorCheck.warnings(on: anchor, at: clock())
    var authority = NewAuthority(
      record: record, organization: organization.record.key, kind: .external,
      status: isTrusted ? .active : .pending)
    authority.name = name
    authority.certificate = try AnchorFacts(anchor)
    authority.intermediates = intermediates.map(\.der)
    authority.group = group
    authority.mapping = terms.mapping
    authority.match = terms.match
    authority.autoProvision = terms.autoProvision
    authority.allowsMissingClientAuth = terms.allowsMissingClientAuth
    authority.warnings = warnings
    if !isTrusted {
      authority.challenge = "usher-proof-" + Base64.encodeURL(try RandomBytes.make(24))
      authority.challengeTTLSeconds = Self.challengeSeconds
    }
    return authority
  }

  /// Why a certificate does not prove that the organization holds the CA's key.
  public enum ProofFailure: Error, Sendable {
    case notChallenged, expired, wrongName
    case notSigned(PathFailure)
  }

  /// Checks the proof and returns the authority as it then is: active, and never to be authenticated with by `proof`.
  public func prove(_ authority: Authority, by proof: Certificate, at now: Instant) throws -> Authority {
    guard authority.status == .pending, let challenge = authority.challenge,
      let end = authority.challengeExpiresAt
    else { throw ProofFailure.notChallenged }
    guard now < end else { throw ProofFailure.expired }
    guard proof.subject.values(of: .commonName) == [Array(challenge.utf8)] else {
      throw ProofFailure.wrongName
    }
    guard let anchor = try authority.chain().first else { throw ProofFailure.notChallenged }
    do throws(PathFailure) {
      // Its time does not matter: the challenge is younger than a day.
      _ = try PathValidator(anchor: anchor, policy: .proofOfKey).judge(
        proof, at: now.seconds)
    } catch { throw ProofFailure.notSigned(error) }
    var proven = authority
    proven.status = .active
    proven.challenge = nil
    proven.challengeExpiresAt = nil
    proven.proofFingerprint = proof.fingerprint.bytes
    return proven
  }
}
