public import Cryptography
internal import Licensing
internal import PKIX

/// The private keys of the CAs that the service holds: sealed at rest, opened only to sign.
public struct AuthorityKeys: Sendable {
  private let sealingKey: SealingKey

  public init(sealingKey: SealingKey) { self.sealingKey = sealingKey }

  /// Seals a new CA key for the row that will hold it; opened in any other place it is refused.
  func seal(_ key: PrivateKey, organization: Identifier, authority: Identifier) throws -> [UInt8] {
    try sealingKey.seal(
      key.secretDER(), authenticating: Self.place(organization, authority, key.publicKey))
  }

  /// The signer of an authority whose key the service holds.
  func signer(for authority: Authority, of organization: Identifier) throws -> any Signer {
    guard let key = try authority.chain().first?.publicKey else { throw Self.noKey }
    return try signer(for: authority, key: key, of: organization)
  }

  private static let noKey = StorageError.fault("an authority without a key was asked to sign")

  /// The same for one that may have no certificate yet; `key` is its public key.
  func signer(for authority: Authority, key: PublicKey, of organization: Identifier) throws -> any Signer {
    guard let sealed = authority.sealedKey else { throw Self.noKey }
    return try PrivateKey(
      der: sealingKey.open(sealed, authenticating: Self.place(organization, authority.record.id, key)))
  }

  /// Where a sealed key belongs: a row swapped or copied in the database does not open.
  private static func place(_ organization: Identifier, _ authority: Identifier, _ key: PublicKey) -> [UInt8]
  {
    Array("usher authority key\n\(organization)\n\(authority)\n".utf8) + key.subjectPublicKeyInfo
  }
}
