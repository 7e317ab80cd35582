/// A reader of bytes that strangers send, run on any bytes: nothing may crash, and what each promises must hold.
public enum FuzzTarget: String, Sendable, CaseIterable {
  case httpRequest = "http-request"
  case certificationRequest = "certification-request"
  case certificate
  case revocationList = "revocation-list"
  case ocspRequest = "ocsp-request"

  /// Reads `bytes`; a broken promise ends the process.
  public func run(_ bytes: [UInt8]) {
    switch self {
    case .httpRequest: HTTPRequestTarget.run(bytes)
    case .certificationRequest: CertificationRequestTarget.run(bytes)
    case .certificate: CertificateTarget.run(bytes)
    case .revocationList: RevocationListTarget.run(bytes)
    case .ocspRequest: OCSPRequestTarget.run(bytes)
    }
  }
}
