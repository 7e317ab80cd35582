internal import Cryptography

/// Everything that a complete revocation list says, before it is signed: the TBSCertList of RFC 5280 section 5.1.
public struct RevocationListContents: Sendable {
  /// Each list's number is greater than that of the one before.
  public var number: Int64
  /// Seconds since 1970.
  public var thisUpdate: Int64
  /// Until when a new list comes, seconds since 1970.
  public var nextUpdate: Int64
  public var entries: [RevocationList.Entry]

  public init(number: Int64, thisUpdate: Int64, nextUpdate: Int64, entries: [RevocationList.Entry]) {
    self.number = number
    self.thisUpdate = thisUpdate
    self.nextUpdate = nextUpdate
    self.entries = entries
  }

  /// The list in DER; the issuer's key id must be the one that its certificates name.
  func signed(
    by signer: any Signer, issuer: DistinguishedName, keyIdentifier: [UInt8]
  ) throws(OpenSSLError) -> [UInt8] {
    let algorithm = signer.signatureAlgorithm.algorithmIdentifier
    let extensions = [
      CertificateExtension.authorityKeyIdentifier(keyIdentifier),
      CertificateExtension(.crlNumber, contents: DER.integer(Int(number))),
    ]
    let contents = DER.sequence(
      DER.integer(1), algorithm, issuer.der, DER.time(thisUpdate), DER.time(nextUpdate), revokedCertificates,
      DER.tagged(0, DER.sequence(of: extensions.map(\.der))))
    return DER.sequence(contents, algorithm, DER.bitString(try signer.sign(contents)))
  }

  /// Absent when nothing is revoked (RFC 5280 section 5.1.2.6).
  private var revokedCertificates: [UInt8] {
    guard !entries.isEmpty else { return [] }
    var list: [UInt8] = []
    list.reserveCapacity(entries.count * 56)
    for entry in entries {
      list += DER.sequence(
        DER.integer(entry.serialNumber.bytes), DER.time(entry.revokedAt), Self.extensions(entry.reason))
    }
    return DER.value(tag: 0x30, list)
  }

  /// A reason that says nothing is left out (RFC 5280 section 5.3.1).
  private static func extensions(_ reason: RevocationList.Reason) -> [UInt8] {
    guard reason != .unspecified else { return [] }
    return DER.sequence(
      CertificateExtension(.reasonCode, contents: DER.enumerated(UInt8(reason.rawValue))).der)
  }
}
