internal import COpenSSL
internal import Cryptography

/// Reads what an `X509_CRL` holds, and refuses what is not a complete list of one issuer.
struct RevocationListFields {
  let issuer: DistinguishedName
  let authorityKeyIdentifier: [UInt8]?
  let number: SerialNumber
  let thisUpdate: Int64
  let nextUpdate: Int64
  let entries: [RevocationList.Entry]

  /// Reads a live `X509_CRL`.
  init(_ crl: OpaquePointer) throws(RevocationListError) {
    // SAFETY: the getters lend parts of the list, which are copied.
    guard unsafe X509_CRL_get_version(crl) == 1 else {
      throw .malformed("version is not 2, so that it has no number to tell it from an older list")
    }
    let extensions = unsafe ListExtensions(owner: crl, count: X509_CRL_get_ext_count, at: X509_CRL_get_ext)
    try Self.check(extensions)
    guard unsafe Self.isStronglySigned(crl) else { throw .weakSignature }
    issuer = unsafe DistinguishedName(copying: X509_CRL_get_issuer(crl))
    guard !issuer.isEmpty else { throw .malformed("issuer is empty") }
    guard let thisUpdate = unsafe Self.seconds(X509_CRL_get0_lastUpdate(crl)) else {
      throw .malformed("thisUpdate is no time")
    }
    guard let nextUpdate = unsafe Self.seconds(X509_CRL_get0_nextUpdate(crl)), nextUpdate >= thisUpdate else {
      throw .malformed("nextUpdate is missing, no time, or before thisUpdate")
    }
    self.thisUpdate = thisUpdate
    self.nextUpdate = nextUpdate
    number = try unsafe Self.number(crl)
    authorityKeyIdentifier = try unsafe Self.authorityKeyIdentifier(crl)
    entries = try unsafe Self.entries(crl)
  }

  private static let understood: Set<ObjectIdentifier> = [.authorityKeyIdentifier]

  private static func check(_ extensions: ListExtensions) throws(RevocationListError) {
    guard extensions.areDistinct else { throw .malformed("extensions hold one twice") }
    for element in extensions.all {
      switch element.identifier {
      case .deltaCRLIndicator: throw .delta
      case .issuingDistributionPoint: throw element.isIndirect ? .indirect : .partial
      case .crlNumber:
        // Section 5.2.3: it is not critical. Who says otherwise means something else by it.
        if element.isCritical { throw .malformed("number is critical") }
      case let other where element.isCritical && !understood.contains(other):
        throw .unknownCriticalExtension(other)
      default: break
      }
    }
  }

  private static func isStronglySigned(_ crl: OpaquePointer) -> Bool {
    // SAFETY: the algorithm is lent by the list.
    var algorithm: UnsafePointer<X509_ALGOR>?
    unsafe X509_CRL_get0_signature(crl, nil, &algorithm)
    return unsafe SignatureAlgorithmRule.isStrong(X509_CRL_get_signature_nid(crl), algorithm)
  }

  private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
    var seconds: Int64 = 0
    // SAFETY: reads the time, which may be NULL.
    return OpenSSLCall.quietly { unsafe usher_asn1_time(time, &seconds) } ? seconds : nil
  }

  private static func number(_ crl: OpaquePointer) throws(RevocationListError) -> SerialNumber {
    // SAFETY: the integer found belongs to this function.
    let found = unsafe OpenSSLCall.quietly { unsafe X509_CRL_get_ext_d2i(crl, NID_crl_number, nil, nil) }
    guard let found = unsafe found else { throw .malformed("number is missing or cannot be read") }
    let integer = unsafe found.assumingMemoryBound(to: ASN1_INTEGER.self)
    defer { unsafe ASN1_INTEGER_free(integer) }
    let number = unsafe SerialNumber(integer)
    guard !number.isNegative, number.encodedLength <= 20 else {
      throw .malformed("number is negative or takes more than 20 octets")
    }
    return number
  }

  private static func authorityKeyIdentifier(_ crl: OpaquePointer) throws(RevocationListError) -> [UInt8]? {
    var critical: Int32 = 0
    // SAFETY: the structure found belongs to this function.
    let found = unsafe OpenSSLCall.quietly {
      unsafe X509_CRL_get_ext_d2i(crl, NID_authority_key_identifier, &critical, nil)
    }
    guard let found = unsafe found else {
      if critical == -1 { return nil }
      throw .malformed("authorityKeyIdentifier cannot be read")
    }
    let identifier = unsafe found.assumingMemoryBound(to: AUTHORITY_KEYID.self)
    defer { unsafe AUTHORITY_KEYID_free(identifier) }
    return unsafe identifier.pointee.keyid == nil ? nil : ASN1Text.bytes(identifier.pointee.keyid)
  }

  private static func entries(_ crl: OpaquePointer) throws(RevocationListError) -> [RevocationList.Entry] {
    // SAFETY: the stack is the list's own, and its members live as long as the list.
    let revoked = unsafe X509_CRL_get_REVOKED(crl)
    let count = unsafe max(0, OPENSSL_sk_num(revoked))
    var entries: [RevocationList.Entry] = []
    entries.reserveCapacity(Int(count))
    for index in 0..<count {
      guard let entry = unsafe OpaquePointer(OPENSSL_sk_value(revoked, index)) else { continue }
      guard let revokedAt = unsafe seconds(X509_REVOKED_get0_revocationDate(entry)) else {
        throw .malformed("entries hold a date that is none")
      }
      entries.append(
        RevocationList.Entry(
          serialNumber: unsafe SerialNumber(X509_REVOKED_get0_serialNumber(entry)), revokedAt: revokedAt,
          reason: try unsafe reason(entry)))
    }
    return entries
  }

  private static func reason(_ entry: OpaquePointer) throws(RevocationListError) -> RevocationList.Reason {
    // SAFETY: the entry lives; the value found belongs to this function.
    guard unsafe X509_REVOKED_get_ext_count(entry) > 0 else { return .unspecified }
    let extensions = unsafe ListExtensions(
      owner: entry, count: X509_REVOKED_get_ext_count, at: X509_REVOKED_get_ext)
    guard extensions.areDistinct else { throw .malformed("entries hold an extension twice") }
    for element in extensions.all {
      if element.identifier == .certificateIssuer { throw .indirect }
      if element.isCritical, element.identifier != .reasonCode {
        throw .unknownCriticalExtension(element.identifier)
      }
    }
    guard extensions.all.contains(where: { $0.identifier == .reasonCode }) else { return .unspecified }
    let found = unsafe OpenSSLCall.quietly {
      unsafe X509_REVOKED_get_ext_d2i(entry, NID_crl_reason, nil, nil)
    }
    guard let found = unsafe found else { throw .malformed("entries hold a reason that cannot be read") }
    let value = unsafe found.assumingMemoryBound(to: ASN1_ENUMERATED.self)
    defer { unsafe ASN1_ENUMERATED_free(value) }
    guard let reason = unsafe RevocationList.Reason(rawValue: ASN1_ENUMERATED_get(value)) else {
      throw .malformed("entries hold a reason that no complete list can have")
    }
    return reason
  }
}
