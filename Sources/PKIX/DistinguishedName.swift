internal import COpenSSL
internal import Cryptography

/// A distinguished name: its DER, compared byte for byte, and the values in it.
public struct DistinguishedName: Sendable, Hashable, CustomStringConvertible {
  /// An attribute type that Usher reads.
  public enum Attribute: Sendable, Hashable {
    case commonName, serialNumber, organization, organizationalUnit

    fileprivate var nid: Int32 {
      switch self {
      case .commonName: NID_commonName
      case .serialNumber: NID_serialNumber
      case .organization: NID_organizationName
      case .organizationalUnit: NID_organizationalUnitName
      }
    }
  }

  /// The DER of the name.
  public let der: [UInt8]

  init(copying name: OpaquePointer?) {
    // SAFETY: the name is lent by a live certificate or request.
    der = (unsafe try? DER.encoded("i2d_X509_NAME") { unsafe i2d_X509_NAME(name, $0) }) ?? []
  }

  /// A name from its DER, which must be one whole Name; nil otherwise.
  public init?(der: [UInt8]) {
    guard unsafe Self.withName(der, { unsafe $0 != nil }) else { return nil }
    self.der = der
  }

  /// A name of one common name.
  public init(commonName: String) {
    der = DER.sequence(
      DER.set(DER.sequence(DER.objectIdentifier(.commonName), DER.utf8String(commonName))))
  }

  /// The name without attributes.
  public static let empty = DistinguishedName(unchecked: DER.sequence())

  /// A name whose DER may be anything, for the certificates of tests.
  package init(unchecked der: [UInt8]) { self.der = der }

  /// Whether it holds no attribute.
  public var isEmpty: Bool { der == [0x30, 0x00] }

  /// Every value of an attribute, in order, as UTF-8 (which may hold any character, NUL too); nil for one that is no
  /// valid text of its type.
  public func values(of attribute: Attribute) -> [[UInt8]?] {
    unsafe Self.withName(der) { name in
      var values: [[UInt8]?] = []
      var index: Int32 = -1
      while true {
        // SAFETY: the name lives during the closure; entries are lent by it.
        index = unsafe X509_NAME_get_index_by_NID(name, attribute.nid, index)
        guard index >= 0, let entry = unsafe X509_NAME_get_entry(name, index) else { return values }
        values.append(unsafe ASN1Text.utf8(X509_NAME_ENTRY_get_data(entry)))
      }
    }
  }

  /// The name for people and logs, as RFC 4514 has it; controls, quotes and everything beyond ASCII are escaped, so
  /// that it fits on one line and cannot pretend to be more than one value.
  public var description: String {
    unsafe Self.withName(der) { name in
      // SAFETY: the BIO is freed here; the name lives during the closure.
      guard let bio = unsafe BIO_new(BIO_s_mem()) else { return "" }
      defer { unsafe BIO_free(bio) }
      guard let name = unsafe name, unsafe X509_NAME_print_ex(bio, name, 0, usher_rfc2253) >= 0 else {
        ERR_clear_error()
        return ""
      }
      return unsafe String(decoding: MemoryBIO.contents(bio), as: UTF8.self)
    }
  }

  private static func withName<Result>(_ der: [UInt8], _ body: (OpaquePointer?) -> Result) -> Result {
    unsafe der.withUnsafeBufferPointer { buffer in
      // SAFETY: the cursor stays inside the array; the name is freed after `body`.
      var cursor = buffer.baseAddress
      let name = unsafe OpenSSLCall.quietly { unsafe d2i_X509_NAME(nil, &cursor, buffer.count) }
      defer { unsafe X509_NAME_free(name) }
      let isWhole = unsafe cursor == buffer.baseAddress.map { unsafe $0 + buffer.count }
      return unsafe body(isWhole ? name : nil)
    }
  }
}
