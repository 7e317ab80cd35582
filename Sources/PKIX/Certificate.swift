internal import COpenSSL
public import Cryptography

/// An X.509 certificate, parsed by OpenSSL. Nothing about it has been verified.
///
/// Two certificates are equal when their DER is (by fingerprint).
///
/// SAFETY: the `X509` is never changed after it is parsed; what OpenSSL caches in it (extension flags) it guards
/// by the object's own lock, and its reference count is atomic.
@safe public final class Certificate: @unchecked Sendable, Hashable {
  private let x509: OwnedPointer
  /// SHA-256 of the DER.
  public let fingerprint: SHA256Digest
  /// The first second of validity, since 1970-01-01T00:00:00Z.
  public let notBefore: Int64
  /// The last second of validity (inclusive, RFC 5280 section 4.1.2.5), since 1970-01-01T00:00:00Z.
  public let notAfter: Int64

  /// Parses one DER certificate; bytes left over are refused.
  public convenience init(der: [UInt8]) throws(CertificateError) {
    let parsed: OwnedPointer
    do {
      parsed = unsafe try OwnedPointer.make("d2i_X509", release: X509_free) {
        unsafe der.withUnsafeBufferPointer { buffer in
          // SAFETY: the cursor stays inside the array; the object is given up when bytes are left over.
          var cursor = buffer.baseAddress
          let x509 = unsafe d2i_X509(nil, &cursor, buffer.count)
          if unsafe x509 != nil, unsafe cursor != buffer.baseAddress.map({ unsafe $0 + buffer.count }) {
            unsafe X509_free(x509)
            return nil
          }
          return unsafe x509
        }
      }
    } catch {
      throw .unparsable(error)
    }
    try self.init(owning: parsed)
  }

  /// Parses a PEM text that holds exactly one certificate.
  public convenience init(pem: [UInt8]) throws(CertificateError) {
    let blocks = try Self.derBlocks(in: pem)
    guard let der = blocks.first else { throw .notPEM("there is no certificate in this PEM text") }
    guard blocks.count == 1 else { throw .notPEM("there is more than one certificate in this PEM text") }
    try self.init(der: der)
  }

  /// Shares an `X509` that OpenSSL has parsed already (a peer's, in a handshake) by taking a reference on it.
  ///
  /// The pointer must be a live `X509` that nobody changes.
  public convenience init(retaining pointer: OpaquePointer) throws(CertificateError) {
    // SAFETY: the pointer is alive by the caller's word; the reference taken is released by the owner.
    unsafe X509_up_ref(pointer)
    try unsafe self.init(owning: OwnedPointer(pointer, release: X509_free))
  }

  private init(owning x509: consuming OwnedPointer) throws(CertificateError) {
    // SAFETY: the getters lend parts of the object, which lives until the end of this initializer and longer.
    var digest = [UInt8](repeating: 0, count: 32)
    let raw = unsafe x509.raw
    do {
      try OpenSSLCall.positive("X509_digest") {
        unsafe X509_digest(raw, DigestAlgorithm.sha256.fetched, &digest, nil)
      }
    } catch {
      throw .unparsable(error)
    }
    var start: Int64 = 0
    var end: Int64 = 0
    guard unsafe usher_asn1_time(X509_get0_notBefore(raw), &start),
      unsafe usher_asn1_time(X509_get0_notAfter(raw), &end),
      let fingerprint = SHA256Digest(bytes: digest)
    else {
      ERR_clear_error()
      throw .malformed("validity")
    }
    self.fingerprint = fingerprint
    notBefore = start
    notAfter = end
    self.x509 = x509
  }

  /// All certificates of a PEM text, in order; blocks with other labels are skipped.
  public static func all(inPEM text: [UInt8]) throws(CertificateError) -> [Certificate] {
    var certificates: [Certificate] = []
    for der in try derBlocks(in: text) { certificates.append(try Certificate(der: der)) }
    return certificates
  }

  private static func derBlocks(in text: [UInt8]) throws(CertificateError) -> [[UInt8]] {
    let blocks: [PEM.Block]
    do { blocks = try PEM.blocks(in: text) } catch { throw .notPEM("\(error)") }
    return blocks.filter { ["CERTIFICATE", "X509 CERTIFICATE"].contains($0.label) }.map(\.bytes)
  }

  /// The certificate in DER, as it was received.
  public var der: [UInt8] {
    // An X509 that was parsed keeps its bytes, so that encoding it cannot fail; an empty array would match nothing.
    (unsafe try? DER.encoded("i2d_X509") { unsafe i2d_X509(x509.raw, $0) }) ?? []
  }

  /// The certificate in PEM.
  public var pem: String { PEM.encode(der, label: "CERTIFICATE") }

  /// Lends the `X509`; it must not be changed, nor used after `body` returns without a reference of its own.
  public func withUnsafeX509<Result, Failure: Error>(
    _ body: (OpaquePointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe try body(x509.raw)
  }

  public static func == (left: Certificate, right: Certificate) -> Bool {
    left.fingerprint == right.fingerprint
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }
}
