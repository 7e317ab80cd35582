internal import Cryptography

/// One extension to be written: its identifier, whether it is critical, and its DER contents.
///
/// Contents are put together byte by byte; OpenSSL's text language for extensions, which can name files, is never used.
package struct CertificateExtension: Sendable, Hashable {
  package let identifier: ObjectIdentifier
  package let isCritical: Bool
  package let contents: [UInt8]

  package init(_ identifier: ObjectIdentifier, isCritical: Bool = false, contents: [UInt8]) {
    self.identifier = identifier
    self.isCritical = isCritical
    self.contents = contents
  }

  /// The Extension SEQUENCE.
  package var der: [UInt8] {
    DER.sequence(
      DER.objectIdentifier(identifier), isCritical ? DER.boolean(true) : [], DER.octetString(contents))
  }

  package static func basicConstraints(_ constraints: BasicConstraints, isCritical: Bool = true) -> Self {
    Self(
      .basicConstraints, isCritical: isCritical,
      contents: DER.sequence(
        constraints.isAuthority ? DER.boolean(true) : [], constraints.pathLength.map { DER.integer($0) } ?? []
      ))
  }

  package static func keyUsage(_ usage: KeyUsage, isCritical: Bool = true) -> Self {
    Self(.keyUsage, isCritical: isCritical, contents: DER.namedBits(usage.rawValue))
  }

  package static func extendedKeyUsage(_ usages: [ObjectIdentifier], isCritical: Bool = false) -> Self {
    Self(
      .extendedKeyUsage, isCritical: isCritical,
      contents: DER.sequence(of: usages.map { DER.objectIdentifier($0) }))
  }

  package static func subjectAltName(_ names: [GeneralName], isCritical: Bool = false) -> Self {
    Self(.subjectAltName, isCritical: isCritical, contents: DER.sequence(of: names.compactMap(\.der)))
  }

  package static func subjectKeyIdentifier(_ identifier: [UInt8]) -> Self {
    Self(.subjectKeyIdentifier, contents: DER.octetString(identifier))
  }

  package static func authorityKeyIdentifier(_ identifier: [UInt8]) -> Self {
    Self(.authorityKeyIdentifier, contents: DER.sequence(DER.implicit(0, identifier)))
  }

  /// Permits URI names of exactly this host and of no other (RFC 5280 section 4.2.1.10); other kinds of names stay free.
  package static func nameConstraints(permittedURIHost host: String) -> Self {
    let subtree = DER.sequence(DER.implicit(6, Array(host.utf8)))
    return Self(.nameConstraints, isCritical: true, contents: DER.sequence(DER.tagged(0, subtree)))
  }

  package static func crlDistributionPoint(_ url: String) -> Self {
    let point = DER.sequence(DER.tagged(0, DER.tagged(0, DER.implicit(6, Array(url.utf8)))))
    return Self(.crlDistributionPoints, contents: DER.sequence(point))
  }

  /// Where the issuer answers OCSP and where its certificate is; nil without either.
  package static func authorityInfoAccess(ocsp: String?, issuer: String?) -> Self? {
    let descriptions = [(ObjectIdentifier.ocsp, ocsp), (.caIssuers, issuer)].compactMap { method, url in
      url.map { DER.sequence(DER.objectIdentifier(method), DER.implicit(6, Array($0.utf8))) }
    }
    return descriptions.isEmpty
      ? nil : Self(.authorityInfoAccess, contents: DER.sequence(of: descriptions))
  }
}
