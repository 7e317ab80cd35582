package import Cryptography
package import Licensing

extension AuthorityKeys {
  package func seal(webhookSecret secret: [UInt8], of webhook: Identifier) throws(OpenSSLError) -> [UInt8] {
    try sealing.seal(SecretBytes(copying: secret), authenticating: Self.place(ofWebhook: webhook))
  }

  /// Opens what `seal` made for this webhook.
  package func open(webhookSecret sealed: [UInt8], of webhook: Identifier) throws(OpenSSLError) -> [UInt8] {
    try sealing.open(sealed, authenticating: Self.place(ofWebhook: webhook)).revealed()
  }

  private static func place(ofWebhook webhook: Identifier) -> [UInt8] {
    Array("usher webhook secret\n\(webhook)".utf8)
  }
}
