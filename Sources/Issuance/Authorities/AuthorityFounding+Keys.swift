public import Cryptography
internal import Licensing
internal import PKIX

/// Where a new authority's key comes from.
public enum KeySource: Sendable {
  /// The service makes it, and keeps it sealed.
  case made(KeyType)
  /// It is in the PKCS#11 token already, and stays there (RFC 7512).
  case token(uri: String)
}

extension AuthorityFounding {
  /// What is wrong with a key in the token, in words.
  public struct TokenObjection: Error, Sendable, Hashable { public let reason: String }

  /// Gets the key, and notes in the new row where it is.
  func takeKey(
    _ source: KeySource, for authority: inout NewAuthority, of organization: Organization
  ) async throws -> any Signer {
    switch source {
    case .made(let type):
      let key = try await maker.make(type)
      authority.keyType = type.rawValue
      authority.sealedKey = try keys.seal(
        key, organization: organization.record.id, authority: authority.record.id)
      return key
    case .token(let uri):
      let signer = try await findKey(uri)
      if let objection = KeyPolicy.objection(to: signer.publicKey) {
        throw TokenObjection(reason: objection)
      }
      authority.keyType = signer.publicKey.kind.description
      authority.keyURI = uri
      return signer
    }
  }

  /// Off the event loops: a token may be slow.
  @concurrent
  private func findKey(_ uri: String) async throws -> any Signer {
    do {
      return try keys.signer(uri)
    } catch let error as OpenSSLError {
      throw TokenObjection(reason: "the token does not give the key: \(error)")
    }
  }
}
