internal import COpenSSL
internal import Cryptography

/// OpenSSL's judgement on one path: signatures, name constraints, path lengths, purposes, policies, critical extensions.
///
/// The store holds one anchor and nothing else, and everything on which OpenSSL has a default is set. Time is left out
/// here, since OpenSSL calls the last second of validity expired and cannot tell the leaf from the rest: see `ValidityRule`.
///
/// SAFETY: a store is not changed after construction, and OpenSSL looks things up in it under its own lock.
@safe final class ChainVerification: @unchecked Sendable {
  private let store: OwnedPointer

  init(anchor: Certificate, maximumIntermediates: Int) throws(OpenSSLError) {
    store = unsafe try OwnedPointer.make("X509_STORE_new", release: X509_STORE_free) {
      unsafe X509_STORE_new()
    }
    // SAFETY: the store takes a reference of its own on the anchor.
    let raw = unsafe store.raw
    try unsafe anchor.withUnsafeX509 { x509 throws(OpenSSLError) in
      _ = try OpenSSLCall.positive("X509_STORE_add_cert") { unsafe X509_STORE_add_cert(raw, x509) }
    }
    let flags = UInt(X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_NO_CHECK_TIME | X509_V_FLAG_POLICY_CHECK)
    try OpenSSLCall.positive("X509_STORE_set_flags") { unsafe X509_STORE_set_flags(raw, flags) }
    try OpenSSLCall.positive("X509_STORE_set_depth") {
      unsafe X509_STORE_set_depth(raw, Int32(clamping: maximumIntermediates))
    }
    unsafe X509_VERIFY_PARAM_set_auth_level(X509_STORE_get0_param(raw), 2)
  }

  /// What the first certificate of a path is checked for; every CA above it must permit the same.
  enum Purpose {
    case client, anything, revocationListSigner

    fileprivate var identifier: Int32 {
      switch self {
      case .client: X509_PURPOSE_SSL_CLIENT
      case .anything: X509_PURPOSE_ANY
      case .revocationListSigner: X509_PURPOSE_CRL_SIGN
      }
    }
  }

  /// Judges a path to the anchor.
  func verify(_ path: [Certificate], for purpose: Purpose) throws(PathFailure) {
    let code = OpenSSLCall.quietly { run(path, purpose.identifier) }
    guard code != X509_V_OK else { return }
    // SAFETY: the text is static.
    let reason =
      unsafe X509_verify_cert_error_string(Int(code)).map { unsafe String(cString: $0) } ?? "error \(code)"
    throw PathFailure(Self.kind(of: code), reason)
  }

  private func run(_ path: [Certificate], _ purpose: Int32) -> Int32 {
    // SAFETY: the stack borrows the certificates, which `path` keeps alive; stack and context are freed here.
    guard let context = unsafe X509_STORE_CTX_new(), let untrusted = unsafe OPENSSL_sk_new_null() else {
      return X509_V_ERR_OUT_OF_MEM
    }
    defer {
      unsafe X509_STORE_CTX_free(context)
      unsafe OPENSSL_sk_free(untrusted)
    }
    for certificate in path.dropFirst().dropLast() {
      unsafe certificate.withUnsafeX509 { _ = unsafe OPENSSL_sk_push(untrusted, UnsafeRawPointer($0)) }
    }
    return unsafe path[0].withUnsafeX509 { leaf in
      guard unsafe X509_STORE_CTX_init(context, store.raw, leaf, untrusted) == 1 else {
        return X509_V_ERR_UNSPECIFIED
      }
      guard unsafe X509_VERIFY_PARAM_set_purpose(X509_STORE_CTX_get0_param(context), purpose) == 1 else {
        return X509_V_ERR_UNSPECIFIED
      }
      guard unsafe X509_verify_cert(context) == 1 else {
        let code = unsafe X509_STORE_CTX_get_error(context)
        return code == X509_V_OK ? X509_V_ERR_UNSPECIFIED : code
      }
      // OpenSSL must have verified this very path, so that the rules judged what it verified.
      let chain = unsafe X509_STORE_CTX_get0_chain(context)
      guard unsafe Int(OPENSSL_sk_num(chain)) == path.count else { return X509_V_ERR_UNSPECIFIED }
      for (index, certificate) in path.enumerated() {
        let isSame = unsafe certificate.withUnsafeX509 {
          unsafe X509_cmp($0, OpaquePointer(OPENSSL_sk_value(chain, Int32(index)))) == 0
        }
        guard isSame else { return X509_V_ERR_UNSPECIFIED }
      }
      return X509_V_OK
    }
  }

  private static func kind(of code: Int32) -> PathFailure.Kind {
    switch code {
    case X509_V_ERR_CERT_SIGNATURE_FAILURE, X509_V_ERR_UNABLE_TO_DECRYPT_CERT_SIGNATURE: .badSignature
    case X509_V_ERR_INVALID_PURPOSE: .wrongPurpose
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
      X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
      X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_CERT_UNTRUSTED:
      .unknownIssuer
    case X509_V_ERR_UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY, X509_V_ERR_INVALID_EXTENSION: .malformed
    default: .forbidden
    }
  }
}
