internal import COpenSSL
internal import Cryptography

extension Certificate {
  /// The policies that the issuer states (RFC 5280 section 4.2.1.4); empty without the extension.
  public var certificatePolicies: [ObjectIdentifier] {
    get throws(CertificateError) {
      unsafe try decode(NID_certificate_policies, "certificatePolicies", release: CERTIFICATEPOLICIES_free) {
        policies in
        // SAFETY: the stack and its policies live during the closure.
        unsafe (0..<max(0, OPENSSL_sk_num(policies))).compactMap { index in
          guard let policy = unsafe OPENSSL_sk_value(policies, index) else { return nil }
          return unsafe ObjectIdentifier(policy.assumingMemoryBound(to: POLICYINFO.self).pointee.policyid)
        }
      } ?? []
    }
  }
}
