internal import Cryptography
public import Issuance
public import Licensing
internal import Reactor

/// Signs leases with the installation's key, and says which keys are to be believed.
///
/// The keys are in memory, opened; `refresh` takes over what other servers made. ES256 takes some 35 µs, so that an event
/// loop can do it on the way.
public final class LeaseSigner: Sendable {
  private struct Published: Sendable {
    let id: String
    let json: String
    let signsFrom: Instant
    /// Nil for those that sign no more, and whose sealed form does not open.
    let secret: PrivateKey?
  }

  private let keys: AuthorityKeys
  private let units: any UnitsOfWork
  private let making: LeaseKeyMaking
  private let published = Lock<[Published]>([])

  public init(keys: AuthorityKeys, units: any UnitsOfWork) {
    self.keys = keys
    self.units = units
    making = LeaseKeyMaking(keys: keys, units: units)
  }

  /// Reads the keys anew, and makes the first one.
  ///
  /// - Throws: `StorageError`, and `OpenSSLError` when the key that should sign does not open.
  public func refresh() async throws {
    var found = try await units.read { try await $0.leaseKeys(locked: false) }
    if found.isEmpty {
      try await making.makeFirst()
      found = try await units.read { try await $0.leaseKeys(locked: false) }
    }
    let known = try found.compactMap { key -> Published? in
      let publicKey = try PublicKey(subjectPublicKeyInfo: key.publicKey)
      guard let jwk = try JSONWebKey(publicKey) else { return nil }
      let id = try jwk.thumbprint()
      let members = #"{"alg":"ES256","kid":"\#(id)","use":"sig","#
      return Published(
        id: id, json: members + jwk.json.dropFirst(), signsFrom: key.signsFrom,
        secret: try key.sealedKey.map { try keys.open(leaseKey: $0, of: publicKey) })
    }
    published.withLock { $0 = known }
  }

  /// The signed form of a lease's claims, as a compact JWS; or of another statement that has a type of its own, so that
  /// it is never taken for a lease.
  ///
  /// - Throws: `StorageError.unavailable` while no key is known.
  public func sign(_ claims: [UInt8], as type: String = "JWT", at now: Instant) throws -> String {
    let current = published.withLock { $0.first { $0.signsFrom <= now && $0.secret != nil } }
    guard let current, let secret = current.secret else {
      throw StorageError.unavailable("no key that signs leases is known yet")
    }
    let header = #"{"alg":"ES256","kid":"\#(current.id)","typ":"\#(type)"}"#
    return try CompactJWS.sign(claims, header: Array(header.utf8), by: secret)
  }

  /// The keys to believe, as a JWK Set (RFC 7517 section 5); nil until they were read.
  public var keySet: String? {
    let known = published.withLock { $0 }
    return known.isEmpty ? nil : #"{"keys":[\#(known.map(\.json).joined(separator: ","))]}"#
  }
}
