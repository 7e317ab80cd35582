internal import Cryptography
public import Licensing
public import PKIX

extension AuthorityFounding {
  /// Makes the key of a CA under the organization's own root, and the request that the root is to sign.
  ///
  /// - Throws: `Busy`, `TokenObjection`, `IssuingError`, `OpenSSLError`.
  public func foundSubordinate(
    _ source: KeySource, named name: String?, record: NewRecord, for organization: Organization
  ) async throws -> NewAuthority {
    var authority = NewAuthority(
      record: record, organization: organization.record.key, kind: .subordinate, status: .pending)
    authority.name = name
    let signer = try await takeKey(source, for: &authority, of: organization)
    authority.request = try await request(signer, named: name, of: organization)
    return authority
  }

  /// Off the event loops: an RSA signature takes milliseconds, a token's longer.
  @concurrent
  private func request(
    _ signer: any Signer, named name: String?, of organization: Organization
  ) async throws -> [UInt8] {
    try CertificationRequest.make(profile(named: name, of: organization), signer: signer)
  }

  /// What is wrong with the chain that an organization uploads for a subordinate authority, in words.
  public struct ChainObjection: Error, Sendable, Hashable { public let reason: String }

  /// What a subordinate authority becomes by its certificate.
  public struct Certification: Sendable {
    public let anchor: AnchorFacts
    public let intermediates: [[UInt8]]
    public let warnings: [String]
  }

  /// Judges the chain by which the organization's root certifies a subordinate authority, for the first time or again, the
  /// authority's own certificate first. The last proof is a trial: what it will be for must work.
  ///
  /// - Throws: `ChainObjection`, `PathFailure`.
  @concurrent
  public func certify(
    _ authority: Authority, by chain: [Certificate], of organization: Organization
  ) async throws -> Certification {
    guard let request = authority.request, let certificate = chain.first else {
      throw ChainObjection(reason: "the authority is not waiting for a certificate")
    }
    guard let key = try CertificationRequest(request).publicKey, certificate.publicKey == key else {
      throw ChainObjection(reason: "the first certificate carries another key than the authority's “csr”")
    }
    if let der = authority.certificate {
      // Devices' certificates name their issuer by both.
      let last = try Certificate(der: der)
      guard certificate.subject == last.subject,
        try certificate.subjectKeyIdentifier == last.subjectKeyIdentifier
      else {
        throw ChainObjection(
          reason: "subject and subject key identifier must be those of the certificate that it replaces")
      }
    }
    for (lower, upper) in zip(chain, chain.dropFirst()) {
      guard let signer = upper.publicKey, lower.issuer == upper.subject, lower.isSigned(by: signer) else {
        throw ChainObjection(
          reason: "“\(lower.subject)” is not signed by “\(upper.subject)”, which follows it")
      }
    }
    var warnings = try AnchorCheck.warnings(on: certificate, at: clock(), isRoot: false)
    if !certificate.extensions.contains(where: { $0.identifier == .nameConstraints }) {
      warnings.append(
        "It has no name constraints; permitting URIs of “\(policy.host(of: organization))” alone is safer.")
    }
    let signer = try keys.signer(for: authority, key: key, of: organization.record.id)
    do throws(IssuingError) {
      try IssuingAuthority(certificate: certificate, signer: signer).tryOut(
        uri: "spiffe://\(policy.host(of: organization))/trial", at: clock())
    } catch {
      throw ChainObjection(reason: "under it no device's certificate would be valid: \(error)")
    }
    return Certification(
      anchor: try AnchorFacts(certificate), intermediates: chain.dropFirst().map(\.der), warnings: warnings)
  }
}
