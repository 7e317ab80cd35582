internal import Cryptography
internal import Licensing
internal import PKIX

/// Gives this server a key by which it may answer OCSP in an authority's name.
///
/// The authority's own key is used once in days, not at the word of whoever asks; the responder's key is never stored.
public struct ResponderCertifier: Sendable {
  /// Who answers for an authority on this server.
  public struct Responder: Sendable {
    let signer: OCSPResponder
    let issuer: OCSPIssuer
    /// When another one is to be made, in seconds since 1970.
    let renewAt: Int64
  }

  private let keys: AuthorityKeys
  private let units: any UnitsOfWork

  public init(keys: AuthorityKeys, units: any UnitsOfWork) {
    self.keys = keys
    self.units = units
  }

  /// Makes a key and certifies it, which the audit trail shows.
  func certify(for signing: SigningAuthority, lifetime: Int64, at now: Int64) async throws -> Responder {
    let responder = try await make(for: signing, lifetime: lifetime, at: now)
    let certificate = responder.signer.certificate
    try await units.transact { work in
      try await work.record(
        AuditEvent(
          "responder.certified", organization: signing.authority.organization, actor: .system,
          detail: [
            "authority": signing.authority.record.id.description,
            "serialNumber": certificate.serialNumber.description,
          ]))
    }
    return responder
  }

  /// Off the event loops, as everything that signs with an authority's key.
  @concurrent
  private func make(for signing: SigningAuthority, lifetime: Int64, at now: Int64) async throws -> Responder {
    guard let certificate = try signing.authority.chain().first else {
      throw StorageError.fault("an authority without a certificate was asked for a responder")
    }
    let authority = try IssuingAuthority(
      certificate: certificate, signer: keys.signer(for: signing.authority, of: signing.organization))
    let key = try PrivateKey(generating: .p256)
    let own = try authority.issueResponder(to: key.publicKey, lifetime: lifetime, at: now)
    return Responder(
      signer: try OCSPResponder(certificate: own, signer: key), issuer: try OCSPIssuer(certificate),
      renewAt: own.notBefore + (own.notAfter - own.notBefore) / 2)
  }
}
