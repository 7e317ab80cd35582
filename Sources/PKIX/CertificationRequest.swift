internal import COpenSSL
public import Cryptography

/// A PKCS#10 certification request (RFC 2986) that was read but not verified.
///
/// SAFETY: the `X509_REQ` is never changed after it is parsed and its reference is this object's alone.
@safe public final class CertificationRequest: @unchecked Sendable {
  private let request: OwnedPointer

  /// Reads a request from PEM, DER or base64 of DER, at most 64 KiB, with nothing else behind it.
  public init(_ body: [UInt8]) throws(RequestError) {
    let der = try RequestEncoding.der(in: body)
    do {
      request = unsafe try OwnedPointer.make("d2i_X509_REQ", release: X509_REQ_free) {
        unsafe der.withUnsafeBufferPointer { buffer in
          // SAFETY: the cursor stays inside the array; the object is given up when bytes are left over.
          var cursor = buffer.baseAddress
          let request = unsafe d2i_X509_REQ(nil, &cursor, buffer.count)
          if unsafe request != nil, unsafe cursor != buffer.baseAddress.map({ unsafe $0 + buffer.count }) {
            unsafe X509_REQ_free(request)
            return nil
          }
          return unsafe request
        }
      }
    } catch {
      throw .unreadable("not a PKCS#10 certification request, or bytes are left over after it")
    }
  }

  /// The public key, which nobody has proven to hold.
  public var publicKey: PublicKey? {
    // SAFETY: the key is lent by the request, which lives; the new object takes a reference of its own.
    guard let key = unsafe OpenSSLCall.quietly({ unsafe X509_REQ_get0_pubkey(request.raw) }) else {
      return nil
    }
    return unsafe try? PublicKey(retaining: key)
  }

  /// The request in DER.
  public var der: [UInt8] {
    (unsafe try? DER.encoded("i2d_X509_REQ") { unsafe i2d_X509_REQ(request.raw, $0) }) ?? []
  }

  /// Judges the request: its signature by its key, the key, and what it asks for.
  ///
  /// The signature comes before all policy: what a stranger says of a key is of no account. Only kinds of keys that are
  /// never accepted are told first, so that their arithmetic is never run.
  public func verified() throws(RequestError) -> VerifiedRequest {
    // SAFETY: the request is alive throughout; everything the getters lend is copied.
    let raw = unsafe request.raw
    guard unsafe X509_REQ_get_version(raw) == 0 else {
      throw .unreadable("the request's version must be 1 (encoded as 0, RFC 2986 section 4.1)")
    }
    guard let key = unsafe OpenSSLCall.quietly({ unsafe X509_REQ_get0_pubkey(raw) }),
      let publicKey = unsafe try? PublicKey(retaining: key)
    else {
      throw .keyRefused(
        "the key in the request cannot be read; use P-256, P-384, or RSA of 2048 to 4096 bits")
    }
    if let objection = KeyPolicy.objection(toKindOf: publicKey) { throw .keyRefused(objection) }
    if let name = refusedSignatureAlgorithm() { throw .signatureAlgorithmRefused(name) }
    guard OpenSSLCall.quietly({ unsafe X509_REQ_verify(raw, key) }) == 1 else { throw .signatureInvalid }
    if let objection = KeyPolicy.objection(to: publicKey) { throw .keyRefused(objection) }
    return VerifiedRequest(
      publicKey: publicKey,
      subject: unsafe DistinguishedName(copying: X509_REQ_get_subject_name(raw)),
      requestedExtensions: unsafe try RequestedExtensions.judge(raw))
  }

  /// The name of the signature algorithm if it is none of those allowed.
  private func refusedSignatureAlgorithm() -> String? {
    // SAFETY: the algorithm is lent by the request; OBJ_nid2ln returns static text.
    let nid = unsafe X509_REQ_get_signature_nid(request.raw)
    switch nid {
    case NID_ecdsa_with_SHA256, NID_ecdsa_with_SHA384, NID_ecdsa_with_SHA512,
      NID_sha256WithRSAEncryption, NID_sha384WithRSAEncryption, NID_sha512WithRSAEncryption:
      return nil
    case NID_rsassaPss:
      var algorithm: UnsafePointer<X509_ALGOR>?
      unsafe X509_REQ_get0_signature(request.raw, nil, &algorithm)
      return unsafe usher_pss_uses_sha2(algorithm) ? nil : "RSASSA-PSS over a hash other than SHA-2"
    default:
      return unsafe OBJ_nid2ln(nid).map { unsafe String(cString: $0) } ?? "an unknown algorithm"
    }
  }
}
