internal import COpenSSL

/// One name of a subject alternative name extension (RFC 5280 section 4.2.1.6), its bytes exactly as they stand.
///
/// Bytes and not text: a name may hold NUL or anything else, and only bytes compare without surprise.
public enum GeneralName: Sendable, Hashable {
  case uri([UInt8])
  case dns([UInt8])
  case email([UInt8])
  /// 4 or 16 bytes in a well-formed certificate.
  case ip([UInt8])
  case directoryName(DistinguishedName)
  case registeredID(ObjectIdentifier)
  /// The type; the value stays unread.
  case otherName(ObjectIdentifier)
  /// x400Address and ediPartyName, which nobody uses.
  case unsupported

  init(_ name: UnsafePointer<GENERAL_NAME>) {
    // SAFETY: the type says which member of the union is set; everything is copied.
    switch unsafe name.pointee.type {
    case GEN_URI: self = unsafe .uri(ASN1Text.bytes(name.pointee.d.uniformResourceIdentifier))
    case GEN_DNS: self = unsafe .dns(ASN1Text.bytes(name.pointee.d.dNSName))
    case GEN_EMAIL: self = unsafe .email(ASN1Text.bytes(name.pointee.d.rfc822Name))
    case GEN_IPADD: self = unsafe .ip(ASN1Text.bytes(name.pointee.d.iPAddress))
    case GEN_DIRNAME: self = unsafe .directoryName(DistinguishedName(copying: name.pointee.d.directoryName))
    case GEN_RID: self = unsafe .registeredID(ObjectIdentifier(name.pointee.d.registeredID))
    case GEN_OTHERNAME: self = unsafe .otherName(ObjectIdentifier(name.pointee.d.otherName.pointee.type_id))
    default: self = .unsupported
    }
  }
}
