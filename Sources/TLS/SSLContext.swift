internal import COpenSSL
internal import Cryptography
internal import PKIX

/// An `SSL_CTX` with what both sides share: TLS 1.3 and 1.2, ECDHE and AEAD only, security level 2.
///
/// SAFETY: it is configured before anyone else sees it and never changed after; OpenSSL permits concurrent
/// `SSL_new` of one context and counts its references atomically.
@safe final class SSLContext: @unchecked Sendable {
  private let context: OwnedPointer

  /// `configure` is given the fresh context.
  init(
    _ method: OpaquePointer?, credential: Credential?, lowest: Int32 = TLS1_2_VERSION,
    highest: Int32 = TLS1_3_VERSION, configure: (OpaquePointer) throws(OpenSSLError) -> Void
  ) throws(OpenSSLError) {
    let library = unsafe try OpenSSLCall.object("OSSL_LIB_CTX_new") { unsafe usher_tls_library() }
    context = unsafe try OwnedPointer.make("SSL_CTX_new", release: SSL_CTX_free) {
      unsafe SSL_CTX_new_ex(library, nil, method)
    }
    // SAFETY: the context lives as long as `self`; strings and certificates outlive the calls that copy or retain them.
    let raw = unsafe context.raw
    unsafe SSL_CTX_set_security_level(raw, 2)
    try OpenSSLCall.positive("SSL_CTX_set_min_proto_version") {
      unsafe usher_tls_set_versions(raw, lowest, highest)
    }
    try OpenSSLCall.positive("SSL_CTX_set_cipher_list") { unsafe SSL_CTX_set_cipher_list(raw, Self.suites) }
    try OpenSSLCall.positive("SSL_CTX_set_ciphersuites") {
      unsafe SSL_CTX_set_ciphersuites(
        raw, "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256")
    }
    try OpenSSLCall.positive("SSL_CTX_set1_groups_list") {
      unsafe usher_tls_set_groups(raw, "X25519:P-256:P-384")
    }
    try OpenSSLCall.positive("SSL_CTX_set1_sigalgs_list") {
      unsafe usher_tls_set_signatures(raw, Self.signatures)
    }
    unsafe SSL_CTX_set_options(raw, usher_tls_options)
    unsafe usher_tls_set_modes(raw, usher_tls_modes)
    unsafe usher_tls_set_read_ahead(raw)
    if let credential { unsafe try Self.show(credential, by: raw) }
    unsafe try configure(raw)
  }

  private static let suites = [
    "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384",
    "ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-RSA-CHACHA20-POLY1305",
  ].joined(separator: ":")

  /// OpenSSL's own list without DSA and SHA-224: Apple's devices bring P-256, P-384 and RSA with both paddings.
  private static let signatures = [
    "ECDSA+SHA256", "ECDSA+SHA384", "ECDSA+SHA512", "ed25519", "rsa_pss_pss_sha256", "rsa_pss_pss_sha384",
    "rsa_pss_pss_sha512", "RSA-PSS+SHA256", "RSA-PSS+SHA384", "RSA-PSS+SHA512", "RSA+SHA256", "RSA+SHA384",
    "RSA+SHA512",
  ].joined(separator: ":")

  private static func show(_ credential: Credential, by context: OpaquePointer) throws(OpenSSLError) {
    for (index, certificate) in credential.chain.enumerated() {
      try OpenSSLCall.positive(index == 0 ? "SSL_CTX_use_certificate" : "SSL_CTX_add1_chain_cert") {
        unsafe certificate.withUnsafeX509 {
          unsafe index == 0 ? SSL_CTX_use_certificate(context, $0) : usher_tls_add_chain(context, $0)
        }
      }
    }
    try OpenSSLCall.positive("SSL_CTX_use_PrivateKey") {
      unsafe credential.privateKey.withUnsafeKey { unsafe SSL_CTX_use_PrivateKey(context, $0) }
    }
  }

  /// A connection over a socket that it does not own, known to `handshake`.
  func makeConnection(descriptor: Int32, handshake: Handshake) throws(OpenSSLError) -> OwnedPointer {
    let ssl = unsafe try OwnedPointer.make("SSL_new", release: freeConnection) { unsafe SSL_new(context.raw) }
    try OpenSSLCall.positive("SSL_set_bio") { unsafe usher_tls_set_socket(ssl.raw, descriptor) }
    guard unsafe handshake.attach(to: ssl.raw) else { throw OpenSSLError(operation: "SSL_set_ex_data") }
    return ssl
  }
}

/// Frees a connection as if it had been shut down in order: otherwise OpenSSL makes its session unusable.
private func freeConnection(_ ssl: OpaquePointer?) {
  // SAFETY: the owner's last use.
  unsafe SSL_set_shutdown(ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
  unsafe SSL_free(ssl)
}
