internal import Cryptography
internal import JSON

/// Checks signed leases without a network, by the server's published keys (`/v1/jwks.json`).
public struct LeaseVerifier: Sendable {
  /// So many seconds the clock may stand before the server's.
  public static let skew: Int64 = 60

  private let keys: [String: PublicKey]

  /// Reads a JWK Set; keys of other kinds than P-256 in it are left out.
  public init(keySet: [UInt8]) throws(ClientError) {
    guard let document = try? JSONValue(parsing: keySet), case .array(let entries) = document["keys"] else {
      throw .unusable("this is no JWK Set: it has no “keys”")
    }
    var keys: [String: PublicKey] = [:]
    for entry in entries where entry.text("kty") == "EC" && entry.text("crv") == "P-256" {
      guard let id = entry.text("kid"), let x = entry.text("x").flatMap(Base64.decodeURL),
        let y = entry.text("y").flatMap(Base64.decodeURL), let key = PublicKey(p256X: x, y: y)
      else { throw .unusable("a key of the JWK Set cannot be read") }
      keys[id] = key
    }
    self.keys = keys
  }

  /// The lease, if a published key signed it, it holds at `now`, and it belongs to `holder`.
  ///
  /// A clock that went backwards would make an old lease good again: one that stands before the time of signing is not
  /// believed, nor one before `latest`, the latest time that the app has seen (it keeps that itself, in seconds since 1970).
  /// Without a holder the lease is only read: a copy of it passes on any machine.
  public func verify(
    _ lease: String, at now: Int64, holder: LeaseHolder?, latest: Int64? = nil
  ) throws(LeaseFault) -> Lease {
    guard let jws = CompactJWS(lease) else { throw .malformed("it is no compact JWS") }
    guard let header = try? JSONValue(parsing: jws.header), header.text("alg") == "ES256",
      header["crit"] == nil
    else { throw .malformed("it is not signed with ES256 alone") }
    guard let id = header.text("kid") else { throw .malformed("it names no key") }
    guard let key = keys[id] else { throw .unknownKey(id) }
    guard jws.isSigned(by: key) else { throw .badSignature }
    let lease = try Lease(claims: jws.payload)
    if let holder, holder.thumbprint != lease.keyThumbprint { throw .otherKey }
    if now < max(lease.issuedAt, latest ?? lease.issuedAt) - Self.skew { throw .clockSetBack }
    if now >= lease.expiresAt { throw .expired }
    return lease
  }
}
