internal import COpenSSL
public import Cryptography

/// A certificate revocation list (RFC 5280 section 5): complete, of one issuer, and read in whole. Nothing about it has
/// been verified; `PathValidator.accept` does that.
///
/// A delta list, an indirect one, one for some certificates or reasons only, and one with a critical extension that is
/// not understood are refused here already: who took them for the whole would let revoked certificates pass.
///
/// SAFETY: the `X509_CRL` is never changed after it is parsed and its reference is this object's alone.
@safe public final class RevocationList: @unchecked Sendable {
  /// The longest list that is read, in bytes.
  public static let limit = 16 * 1024 * 1024

  private let crl: OwnedPointer
  /// The name of the issuer, which proves nothing.
  public let issuer: DistinguishedName
  /// The identifier of the issuer's key, a hint; nil without the extension or without its `keyIdentifier`.
  public let authorityKeyIdentifier: [UInt8]?
  /// The list's number (section 5.2.3), by which a newer list is told from an older one; never negative.
  public let number: SerialNumber
  /// When it was made, in seconds since 1970.
  public let thisUpdate: Int64
  /// When the next one is there at the latest, in seconds since 1970.
  public let nextUpdate: Int64
  /// What is revoked, in the list's order.
  public let entries: [Entry]
  private let positions: [SerialNumber: Int]

  /// Reads a list in DER or PEM, alone, at most `limit` bytes.
  public convenience init(_ contents: [UInt8]) throws(RevocationListError) {
    guard contents.count <= Self.limit else {
      throw .unreadable("the list is longer than \(Self.limit) bytes")
    }
    guard contents.first != 0x30 else {
      try self.init(der: contents)
      return
    }
    let blocks: [PEM.Block]
    do { blocks = try PEM.blocks(in: contents) } catch { throw .unreadable("not PEM: \(error)") }
    guard blocks.count == 1, blocks[0].label == "X509 CRL" else {
      throw .unreadable("neither DER nor exactly one PEM block “X509 CRL”")
    }
    try self.init(der: blocks[0].bytes)
  }

  /// Reads a DER list; bytes left over are refused.
  public init(der: [UInt8]) throws(RevocationListError) {
    guard der.count <= Self.limit else { throw .unreadable("the list is longer than \(Self.limit) bytes") }
    do {
      crl = unsafe try OwnedPointer.make("d2i_X509_CRL", release: X509_CRL_free) {
        unsafe der.withUnsafeBufferPointer { buffer in
          // SAFETY: the cursor stays inside the array; the object is given up when bytes are left over.
          var cursor = buffer.baseAddress
          let crl = unsafe d2i_X509_CRL(nil, &cursor, buffer.count)
          if unsafe crl != nil, unsafe cursor != buffer.baseAddress.map({ unsafe $0 + buffer.count }) {
            unsafe X509_CRL_free(crl)
            return nil
          }
          return unsafe crl
        }
      }
    } catch {
      throw .unreadable("not a revocation list, or bytes are left over after it")
    }
    let fields = unsafe try RevocationListFields(crl.raw)
    issuer = fields.issuer
    authorityKeyIdentifier = fields.authorityKeyIdentifier
    number = fields.number
    thisUpdate = fields.thisUpdate
    nextUpdate = fields.nextUpdate
    entries = fields.entries
    positions = Dictionary(
      fields.entries.enumerated().map { ($1.serialNumber, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The list in DER, as it was received.
  public var der: [UInt8] {
    (unsafe try? DER.encoded("i2d_X509_CRL") { unsafe i2d_X509_CRL(crl.raw, $0) }) ?? []
  }

  /// The list in PEM.
  public var pem: String { PEM.encode(der, label: "X509 CRL") }

  /// What the list says of a serial number; nil when it is not revoked.
  public func entry(for serialNumber: SerialNumber) -> Entry? { positions[serialNumber].map { entries[$0] } }

  /// Whether `key` made this list's signature. This alone says nothing about trust.
  public func isSigned(by key: PublicKey) -> Bool {
    unsafe key.withUnsafeKey { key in OpenSSLCall.quietly { unsafe X509_CRL_verify(crl.raw, key) == 1 } }
  }

  /// Whether a newer list should be there by now (`time` in seconds since 1970). What it revoked stays revoked.
  public func isStale(at time: Int64) -> Bool { time > nextUpdate }
}
