internal import PKIX

/// Why a certificate is believed: which authority vouches for it, and what that rests on.
public struct TrustProof: Sendable {
  let authority: AuthorityEntry
  /// Certificates on the path, leaf and anchor included.
  let length: Int
  /// What came with the leaf, where it had a part in the verdict.
  let presented: [Certificate]
  /// The CAs between leaf and anchor, which a list of the organization's may revoke.
  let issuers: [Issuer]
  /// Whether one of them is revoked, and no path leads around it.
  let isRevoked: Bool
  /// The last second at which every CA of the path is valid.
  let notAfter: Int64
  private let generation: UInt64
  private let mapGeneration: UInt64

  init(
    _ path: TrustedPath, by authority: AuthorityEntry, _ generation: UInt64, _ presented: [Certificate],
    under map: TrustMap
  ) {
    self.authority = authority
    self.generation = generation
    length = path.certificates.count
    // The key of the leaf's issuer is registered: no chain is nearer, whatever comes with the leaf.
    self.presented = path.certificates.count == 2 ? [] : presented
    issuers = authority.issuers.entries(for: path.intermediates)
    isRevoked = issuers.contains { $0.isRevoked }
    notAfter = path.certificates.dropFirst().reduce(.max) { min($0, $1.notAfter) }
    mapGeneration = map.generation
  }

  /// Whether the anchor itself signed the leaf.
  var isDirect: Bool { length == 2 }

  /// Whether nothing has changed since that the verdict rests on.
  func holds(at seconds: Int64, under map: UInt64) -> Bool {
    seconds <= notAfter && generation == authority.generation
      && isRevoked == issuers.contains { $0.isRevoked }
      // A nearer key may have been registered, or a deleted authority's key proven anew.
      && (mapGeneration == map || isDirect && !authority.isDeleted)
  }
}
