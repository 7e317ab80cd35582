public import Cryptography

/// A key that answers OCSP in an authority's name, with the certificate by which it may.
public struct OCSPResponder: Sendable {
  /// Issued by the authority for this alone.
  public let certificate: Certificate
  private let signer: any Signer
  private let keyHash: [UInt8]

  public init(certificate: Certificate, signer: any Signer) throws(IssuingError) {
    guard certificate.publicKey == signer.publicKey else { throw .wrongSigner }
    self.certificate = certificate
    self.signer = signer
    do { keyHash = try signer.publicKey.keyIdentifier() } catch { throw .signing(error) }
  }

  /// Signs one answer about all that was asked: an OCSPResponse in DER.
  ///
  /// - Parameters:
  ///   - statuses: of each certificate, in the order of the request.
  ///   - thisUpdate: since when this is known to be so, in seconds since 1970; `nextUpdate`: until when it may be used.
  public func answer(
    _ request: OCSPRequest, with statuses: [OCSPStatus], thisUpdate: Int64, nextUpdate: Int64, at now: Int64
  ) throws(OpenSSLError) -> [UInt8] {
    let responses = zip(request.certificates, statuses).map { id, status in
      DER.sequence(
        id.der, status.der, DER.generalizedTime(thisUpdate), DER.tagged(0, DER.generalizedTime(nextUpdate)))
    }
    var extensions: [CertificateExtension] = []
    if let nonce = request.nonce {
      extensions.append(CertificateExtension(.ocspNonce, contents: DER.octetString(nonce)))
    }
    if statuses.contains(.notIssued) {
      extensions.append(CertificateExtension(.ocspExtendedRevoke, contents: DER.null))
    }
    let data = DER.sequence(
      DER.tagged(2, DER.octetString(keyHash)), DER.generalizedTime(now), DER.sequence(of: responses),
      extensions.isEmpty ? [] : DER.tagged(1, DER.sequence(of: extensions.map(\.der))))
    let basic = DER.sequence(
      data, signer.signatureAlgorithm.algorithmIdentifier, DER.bitString(try signer.sign(data)),
      DER.tagged(0, DER.sequence(certificate.der)))
    return DER.sequence(
      DER.enumerated(0),
      DER.tagged(0, DER.sequence(DER.objectIdentifier(.ocspBasicResponse), DER.octetString(basic))))
  }
}

extension OCSPStatus {
  fileprivate var der: [UInt8] {
    switch self {
    case .good: DER.implicit(0, [])
    case .unknown: DER.implicit(2, [])
    case .notIssued: OCSPStatus.revoked(at: 0, reason: .certificateHold).der
    case .revoked(let time, let reason):
      DER.tagged(
        1, DER.generalizedTime(time),
        reason == .unspecified ? [] : DER.tagged(0, DER.enumerated(UInt8(reason.rawValue))))
    }
  }
}
