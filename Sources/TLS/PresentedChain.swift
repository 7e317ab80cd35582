internal import COpenSSL
public import Cryptography
public import PKIX

/// The certificates that a peer presents in a handshake, as OpenSSL parsed them: at most the bytes that the context
/// permits, nothing of them verified.
///
/// It is lent to the verifier for one call and cannot be kept.
// SAFETY: made only by the verification callback, whose store context outlives the borrow.
@safe public struct PresentedChain: ~Copyable {
  /// The peer's own certificate.
  public let leaf: Certificate
  /// The host name that the client asked for, in lower case.
  public let serverName: String?
  private let store: OpaquePointer

  /// Reads a store context inside the verification callback.
  init(_ store: OpaquePointer, serverName: String?) throws(Refusal) {
    self.serverName = serverName
    guard let certificate = unsafe X509_STORE_CTX_get0_cert(store) else {
      throw Refusal(.certificateRequired, "no certificate")
    }
    do { leaf = unsafe try Certificate(retaining: certificate) } catch {
      throw Refusal(.badCertificate, "unreadable certificate")
    }
    unsafe self.store = store
  }

  /// The SHA-256 of the leaf's DER.
  public var fingerprint: SHA256Digest { leaf.fingerprint }

  /// What came with the leaf, in the order of the message: hints, not necessarily a chain. Unreadable ones are left out.
  public var intermediates: [Certificate] {
    guard let chain = unsafe X509_STORE_CTX_get0_untrusted(store) else { return [] }
    return unsafe (0..<usher_tls_chain_count(chain)).dropFirst().compactMap { index in
      unsafe usher_tls_chain_value(chain, index).flatMap { unsafe try? Certificate(retaining: $0) }
    }
  }
}
