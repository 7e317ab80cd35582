public import Cryptography
internal import Licensing
internal import PKIX

/// The private keys of the CAs that the service holds: sealed in the database and opened only to sign, or in a token.
public struct AuthorityKeys: Sendable {
  let sealing: SealingKeyRing
  private let token: KeyToken?

  public init(sealing: SealingKeyRing, token: KeyToken? = nil) {
    self.sealing = sealing
    self.token = token
  }

  /// Which key seals.
  var sealingKey: String { sealing.id }

  /// Seals a new CA key for the row that will hold it; opened in any other place it is refused.
  func seal(_ key: PrivateKey, organization: Identifier, authority: Identifier) throws -> [UInt8] {
    try sealing.seal(key.secretDER(), authenticating: Self.place(organization, authority, key.publicKey))
  }

  /// Seals anew, under the key that seals now.
  func reseal(_ sealed: [UInt8], organization: Identifier, authority: Identifier, key: PublicKey) throws
    -> [UInt8]
  {
    let place = Self.place(organization, authority, key)
    return try sealing.seal(try sealing.open(sealed, authenticating: place), authenticating: place)
  }

  /// The signer of an authority whose key the service holds.
  func signer(for authority: Authority, of organization: Identifier) throws -> any Signer {
    guard let key = try authority.chain().first?.publicKey else { throw Self.noKey }
    return try signer(for: authority, key: key, of: organization)
  }

  /// The same for one that may have no certificate yet; `key` is its public key.
  func signer(for authority: Authority, key: PublicKey, of organization: Identifier) throws -> any Signer {
    if let uri = authority.keyURI { return try signer(uri) }
    guard let sealed = authority.sealedKey else { throw Self.noKey }
    return try PrivateKey(
      der: sealing.open(sealed, authenticating: Self.place(organization, authority.record.id, key)))
  }

  /// The signer of a key in the token.
  func signer(_ uri: String) throws -> any Signer {
    guard let token else { throw AuthorityFounding.TokenObjection(reason: "no PKCS#11 token is configured") }
    return try token.signer(uri)
  }

  private static let noKey = StorageError.fault("an authority without a key was asked to sign")

  /// Where a sealed key belongs: a row swapped or copied in the database does not open.
  private static func place(_ organization: Identifier, _ authority: Identifier, _ key: PublicKey) -> [UInt8]
  {
    Array("usher authority key\n\(organization)\n\(authority)\n".utf8) + key.subjectPublicKeyInfo
  }
}
