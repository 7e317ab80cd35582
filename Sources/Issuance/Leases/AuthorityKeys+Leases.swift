package import Cryptography

extension AuthorityKeys {
  func seal(leaseKey key: PrivateKey) throws(OpenSSLError) -> [UInt8] {
    try sealing.seal(key.secretDER(), authenticating: Self.place(ofLeaseKey: key.publicKey))
  }

  /// Opens what `seal` made of this key.
  package func open(leaseKey sealed: [UInt8], of key: PublicKey) throws(OpenSSLError) -> PrivateKey {
    try PrivateKey(der: sealing.open(sealed, authenticating: Self.place(ofLeaseKey: key)))
  }

  /// Seals anew, under the key that seals now.
  func reseal(leaseKey sealed: [UInt8], of key: PublicKey) throws(OpenSSLError) -> [UInt8] {
    let place = Self.place(ofLeaseKey: key)
    return try sealing.seal(try sealing.open(sealed, authenticating: place), authenticating: place)
  }

  private static func place(ofLeaseKey key: PublicKey) -> [UInt8] {
    Array("usher lease key\n".utf8) + key.subjectPublicKeyInfo
  }
}
