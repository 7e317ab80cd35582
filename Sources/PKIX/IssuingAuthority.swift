public import Cryptography

/// A certificate authority that can sign: its certificate and the signer that holds its key.
public struct IssuingAuthority: Sendable {
  /// The authority's own certificate.
  public let certificate: Certificate
  let signer: any Signer

  /// Joins a certificate with the signer of its key.
  public init(certificate: Certificate, signer: any Signer) throws(IssuingError) {
    guard certificate.publicKey == signer.publicKey else { throw .wrongSigner }
    self.certificate = certificate
    self.signer = signer
  }

  /// Seconds that `notBefore` lies in the past, for devices whose clock is slow.
  static let backdating: Int64 = 300

  /// Makes a self-signed authority. It signs leaves only (path length 0).
  public static func root(
    _ profile: RootProfile, signer: any Signer, at now: Int64
  ) throws(IssuingError) -> IssuingAuthority {
    let name = try subject(profile.commonName)
    let contents = CertificateContents(
      serialNumber: try serialNumber(), issuer: name,
      notBefore: now - backdating, notAfter: now + profile.lifetime,
      subject: name, subjectPublicKeyInfo: signer.publicKey.subjectPublicKeyInfo,
      extensions: try extensions(of: profile, key: signer.publicKey))
    let certificate = try sign(contents, by: signer)
    return try IssuingAuthority(certificate: certificate, signer: signer)
  }

  static func extensions(
    of profile: RootProfile, key: PublicKey
  ) throws(IssuingError) -> [CertificateExtension] {
    if let host = profile.permittedURIHost { try requireHost(host) }
    return [
      .basicConstraints(BasicConstraints(isAuthority: true, pathLength: 0)),
      .keyUsage([.keyCertSign, .crlSign]),
      .subjectKeyIdentifier(try keyIdentifier(of: key)),
    ] + (profile.permittedURIHost.map { [.nameConstraints(permittedURIHost: $0)] } ?? [])
  }

  /// Issues a certificate to a key that nobody has, to see that a device's would be valid.
  public func tryOut(uri: String, at now: Int64) throws(IssuingError) {
    let request: VerifiedRequest
    do {
      let key = try PrivateKey(generating: .p256)
      request = VerifiedRequest(publicKey: key.publicKey, subject: .empty, requestedExtensions: [])
    } catch {
      throw .signing(error)
    }
    _ = try issue(LeafProfile(commonName: nil, uri: uri, lifetime: 86_400), to: request, at: now)
  }

  /// Issues a device's certificate to the key of a verified request.
  public func issue(
    _ profile: LeafProfile, to request: VerifiedRequest, at now: Int64
  ) throws(IssuingError) -> Certificate {
    try Self.requireURL(profile.uri)
    for url in [profile.crlURL, profile.ocspURL, profile.issuerURL] {
      if let url { try Self.requireURL(url) }
    }
    let name: DistinguishedName
    if let commonName = profile.commonName, commonName.unicodeScalars.count <= 64 {
      name = try Self.subject(commonName)
    } else {
      name = .empty
    }
    var extensions: [CertificateExtension] = [
      .extendedKeyUsage([.clientAuth]),
      .subjectAltName([.uri(profile.uri)], isCritical: name.isEmpty),
    ]
    if let url = profile.crlURL { extensions.append(.crlDistributionPoint(url)) }
    if let access = CertificateExtension.authorityInfoAccess(ocsp: profile.ocspURL, issuer: profile.issuerURL)
    {
      extensions.append(access)
    }
    let leaf = try issue(
      subject: name, key: request.publicKey, extensions: extensions, lifetime: profile.lifetime,
      minimumLifetime: min(profile.minimumLifetime, profile.lifetime), at: now)
    try requireValid(leaf, at: now)
    return leaf
  }

  /// What is issued must pass as what it will be used as: name constraints of the authority included.
  private func requireValid(_ leaf: Certificate, at now: Int64) throws(IssuingError) {
    do {
      guard case .valid = try PathValidator(anchor: certificate).judge(leaf, at: now) else {
        throw IssuingError.selfCheck("it is not valid now")
      }
    } catch let error as IssuingError {
      throw error
    } catch {
      throw .selfCheck("\(error)")
    }
  }

  /// Issues a server certificate to Usher's own key.
  public func issue(
    _ profile: ServerProfile, to key: PublicKey, at now: Int64
  ) throws(IssuingError) -> Certificate {
    for name in profile.dnsNames { try Self.requireHost(name) }
    let names = profile.dnsNames.map { GeneralName.dns($0) } + profile.ipAddresses.map { .ip($0) }
    let subject =
      try profile.dnsNames.first.map { name throws(IssuingError) in try Self.subject(name) } ?? .empty
    return try issue(
      subject: subject, key: key,
      extensions: [.extendedKeyUsage([.serverAuth]), .subjectAltName(names, isCritical: subject.isEmpty)],
      lifetime: profile.lifetime, minimumLifetime: min(3600, profile.lifetime), at: now)
  }

  func issue(
    subject: DistinguishedName, key: PublicKey, extensions: [CertificateExtension], lifetime: Int64,
    minimumLifetime: Int64, at now: Int64
  ) throws(IssuingError) -> Certificate {
    let end = min(now + lifetime, certificate.notAfter)
    guard now >= certificate.notBefore, end - now >= minimumLifetime else {
      throw .authorityOutsideItsTime(
        "the authority is not valid for another \(minimumLifetime) seconds; rotate it before issuing")
    }
    let identifier: [UInt8]
    do { identifier = try certificate.keyIdentifier() } catch { throw .selfCheck("the authority: \(error)") }
    let contents = CertificateContents(
      serialNumber: try Self.serialNumber(), issuer: certificate.subject,
      notBefore: max(now - Self.backdating, certificate.notBefore), notAfter: end,
      subject: subject, subjectPublicKeyInfo: key.subjectPublicKeyInfo,
      extensions: [
        .basicConstraints(BasicConstraints(isAuthority: false)),
        .keyUsage([.digitalSignature]),
        .subjectKeyIdentifier(try Self.keyIdentifier(of: key)),
        .authorityKeyIdentifier(identifier),
      ] + extensions)
    return try Self.sign(contents, by: signer)
  }
}
