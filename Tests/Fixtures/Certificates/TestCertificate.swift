public import Cryptography
public import PKIX

/// What a test certificate says. Everything may be set to what is wrong; the extensions follow from the fields
/// unless `extensions` replaces them all.
public struct TestCertificate {
  /// The subject; a common name unless it is replaced.
  public var subject: DistinguishedName
  /// The issuer's name as stated; nil: the signer's own subject.
  public var issuer: DistinguishedName?
  public var key: PrivateKey
  /// Contents octets of the serial number; random if nil.
  public var serialNumber: [UInt8]?
  /// 2 is v3, 0 is v1.
  public var version = 2
  public var notBefore = TestClock.now - 3600
  public var notAfter = TestClock.now + 86_400
  public var basicConstraints: BasicConstraints? = BasicConstraints(isAuthority: false)
  public var keyUsage: KeyUsage? = [.digitalSignature]
  public var extendedKeyUsage: [ObjectIdentifier]? = [.clientAuth]
  public var names: [GeneralName] = []
  /// The key identifier as stated; computed from the key if nil, left out if empty.
  public var subjectKeyIdentifier: [UInt8]?
  /// The issuer's key identifier as stated; taken from the issuer if nil, left out if empty.
  public var authorityKeyIdentifier: [UInt8]?
  /// Added after all others.
  package var additionalExtensions: [CertificateExtension] = []

  /// A well-formed client certificate.
  public init(_ commonName: String, key: PrivateKey) {
    subject = DistinguishedName(commonName: commonName)
    self.key = key
  }

  /// Makes it a CA: CA:TRUE, keyCertSign and cRLSign, no purpose.
  public mutating func becomeAuthority(pathLength: Int? = nil) {
    basicConstraints = BasicConstraints(isAuthority: true, pathLength: pathLength)
    keyUsage = [.keyCertSign, .crlSign]
    extendedKeyUsage = nil
  }

  /// Signs it; `issuer` nil makes it self-signed.
  func signed(by issuer: TestIdentity?) throws -> Certificate {
    let signer = issuer?.key ?? key
    let identifier = try subjectKeyIdentifier ?? key.publicKey.keyIdentifier()
    let authority =
      try authorityKeyIdentifier ?? issuer?.certificate.subjectKeyIdentifier
      ?? signer.publicKey.keyIdentifier()
    var extensions: [CertificateExtension] = []
    if let basicConstraints { extensions.append(.basicConstraints(basicConstraints)) }
    if let keyUsage { extensions.append(.keyUsage(keyUsage)) }
    if let extendedKeyUsage { extensions.append(.extendedKeyUsage(extendedKeyUsage)) }
    if !names.isEmpty { extensions.append(.subjectAltName(names)) }
    if !identifier.isEmpty { extensions.append(.subjectKeyIdentifier(identifier)) }
    if !authority.isEmpty { extensions.append(.authorityKeyIdentifier(authority)) }
    var contents = CertificateContents(
      serialNumber: try serialNumber ?? ([0x40] + RandomBytes.make(15)),
      issuer: self.issuer ?? issuer?.certificate.subject ?? subject,
      notBefore: notBefore, notAfter: notAfter, subject: subject,
      subjectPublicKeyInfo: key.publicKey.subjectPublicKeyInfo,
      extensions: version == 0 ? [] : extensions + additionalExtensions)
    contents.version = version
    return try Certificate(der: contents.signed(by: signer))
  }
}
