internal import Cryptography
public import PKIX

/// What a test revocation list says. Everything may be set to what is wrong.
public struct TestRevocationList {
  /// 1 is v2; 0 is v1, left out.
  public var version = 1
  /// The issuer's name as stated; nil: the signer's own subject.
  public var issuer: DistinguishedName?
  /// Contents octets of the number; left out if empty.
  public var number: [UInt8] = [1]
  public var isNumberCritical = false
  public var thisUpdate = TestClock.now - 60
  /// Left out if nil.
  public var nextUpdate: Int64? = TestClock.now + 3600
  /// The issuer's key identifier as stated; the signer's own if nil, left out if empty.
  public var authorityKeyIdentifier: [UInt8]?
  public var entries: [RevocationList.Entry] = []
  /// Added to each entry.
  package var entryExtensions: [CertificateExtension] = []
  /// Added after all others.
  package var additionalExtensions: [CertificateExtension] = []

  /// A list without entries.
  public init() {}

  /// One of which `change` alters anything before it is signed.
  public init(_ change: (inout TestRevocationList) throws -> Void) rethrows { try change(&self) }

  /// A list that revokes these certificates.
  public init(revoking certificates: Certificate..., reason: RevocationList.Reason = .unspecified) {
    entries = certificates.map {
      RevocationList.Entry(
        serialNumber: $0.serialNumber, revokedAt: TestClock.now - 120, reason: reason)
    }
  }

  /// The list in DER.
  public func signed(by authority: TestAuthority) throws -> [UInt8] {
    let signer = authority.key
    let identifier = try authorityKeyIdentifier ?? signer.publicKey.keyIdentifier()
    var extensions: [CertificateExtension] = []
    if !identifier.isEmpty { extensions.append(.authorityKeyIdentifier(identifier)) }
    if !number.isEmpty {
      extensions.append(
        CertificateExtension(
          .crlNumber, isCritical: isNumberCritical, contents: DER.value(tag: 0x02, number)))
    }
    let all = version == 0 ? [] : extensions + additionalExtensions
    let algorithm = signer.signatureAlgorithm.algorithmIdentifier
    let contents = DER.sequence(
      version == 0 ? [] : DER.integer(version),
      algorithm,
      (issuer ?? authority.certificate.subject).der,
      DER.time(thisUpdate),
      nextUpdate.map { DER.time($0) } ?? [],
      entries.isEmpty ? [] : DER.sequence(of: entries.map(der(of:))),
      all.isEmpty ? [] : DER.tagged(0, DER.sequence(of: all.map(\.der))))
    return DER.sequence(contents, algorithm, DER.bitString(try signer.sign(contents)))
  }

  private func der(of entry: RevocationList.Entry) -> [UInt8] {
    let reason = CertificateExtension(
      .reasonCode, contents: DER.value(tag: 0x0a, [UInt8(entry.reason.rawValue)]))
    let extensions = (entry.reason == .unspecified ? [] : [reason]) + entryExtensions
    return DER.sequence(
      DER.integer(entry.serialNumber.bytes), DER.time(entry.revokedAt),
      extensions.isEmpty ? [] : DER.sequence(of: extensions.map(\.der)))
  }
}
