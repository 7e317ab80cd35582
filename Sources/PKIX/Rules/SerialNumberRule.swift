/// Serial numbers are positive and take at most 20 octets (RFC 5280 section 4.1.2.2): revocation goes by them.
///
/// An anchor's own is never looked up, and well-known roots have zero: there it is only a warning.
enum SerialNumberRule: CertificateRule {
  static func check(_ certificate: Certificate, as role: PathRole, under policy: PathPolicy)
    throws(CertificateFault)
  {
    if role == .anchor { return }
    if let objection = objection(to: certificate.serialNumber) {
      throw CertificateFault(.forbidden, objection)
    }
  }

  static func objection(to number: SerialNumber) -> String? {
    if number.isNegative || number.isZero { return "the serial number is not positive" }
    if number.encodedLength > 20 { return "the serial number takes more than 20 octets" }
    return nil
  }
}
