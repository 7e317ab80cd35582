internal import Cryptography

extension IssuingAuthority {
  /// Signs, reads back what was signed, and compares it with what was meant.
  static func sign(_ contents: CertificateContents, by signer: any Signer) throws(IssuingError) -> Certificate
  {
    let der: [UInt8]
    do { der = try contents.signed(by: signer) } catch { throw .signing(error) }
    let certificate: Certificate
    do { certificate = try Certificate(der: der) } catch { throw .selfCheck("\(error)") }
    let agrees =
      certificate.version == 3 && certificate.serialNumber == SerialNumber(bytes: contents.serialNumber)
      && certificate.issuer == contents.issuer && certificate.subject == contents.subject
      && certificate.notBefore == contents.notBefore && certificate.notAfter == contents.notAfter
      && certificate.subjectPublicKeyInfo == contents.subjectPublicKeyInfo
      && certificate.extensions == contents.extensions
    guard agrees else { throw .selfCheck("a field differs from what was meant") }
    guard certificate.isSigned(by: signer.publicKey) else {
      throw .selfCheck("the signature does not verify")
    }
    return certificate
  }

  /// 16 octets, positive, 126 of the bits random (RFC 5280 section 4.1.2.2).
  static func serialNumber() throws(IssuingError) -> [UInt8] {
    do {
      var bytes = try RandomBytes.make(16)
      bytes[0] = bytes[0] & 0x3f | 0x40
      return bytes
    } catch {
      throw .signing(error)
    }
  }

  static func keyIdentifier(of key: PublicKey) throws(IssuingError) -> [UInt8] {
    do { return try key.keyIdentifier() } catch { throw .signing(error) }
  }

  /// A subject of one common name, 1 to 64 characters (RFC 5280 appendix A, ub-common-name), none of them a control.
  static func subject(_ commonName: String) throws(IssuingError) -> DistinguishedName {
    let scalars = commonName.unicodeScalars
    let isControl = { (scalar: Unicode.Scalar) in scalar.properties.generalCategory == .control }
    guard (1...64).contains(scalars.count), !scalars.contains(where: isControl) else {
      throw .unfitName("a common name must have 1 to 64 characters, none of them a control character")
    }
    return DistinguishedName(commonName: commonName)
  }

  /// Accepts visible ASCII only: what an IA5String may hold without surprise.
  static func requireURL(_ text: String) throws(IssuingError) {
    guard !text.isEmpty, text.utf8.count <= 2048, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
      text.contains(":")
    else { throw .unfitName("a URI in a certificate must be visible ASCII of at most 2048 characters") }
  }

  /// Accepts a DNS name in lowercase letters, digits, hyphens and dots.
  static func requireHost(_ text: String) throws(IssuingError) {
    let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let isFit = labels.allSatisfy { label in
      (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
        && label.allSatisfy { byte in
          (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
        }
    }
    guard isFit, text.utf8.count <= 253 else { throw .unfitName("“\(text)” is no lowercase DNS name") }
  }
}
