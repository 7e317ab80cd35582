internal import Cryptography
internal import JSON

/// Why the signed form of a head is not believed.
public struct ChainHeadFault: Error, Sendable, CustomStringConvertible {
  public let description: String
}

extension ChainHead {
  /// Reads a signed head; with a JWK Set (`/v1/jwks.json`) one of its keys must have signed it.
  public init(signed text: String, keySet: [UInt8]?) throws(ChainHeadFault) {
    guard let jws = CompactJWS(text), let header = try? JSONValue(parsing: jws.header),
      header["alg"] == .string("ES256"), header["typ"] == .string(Self.type), header["crit"] == nil,
      let claims = try? JSONValue(parsing: jws.payload), let head = ChainHead(claims)
    else { throw ChainHeadFault(description: "this is no signed head of an audit trail") }
    if let keySet {
      guard let keys = try? JSONValue(parsing: keySet), case .array(let entries)? = keys["keys"],
        let entry = entries.first(where: { $0["kid"] == header["kid"] }), let key = PublicKey(jwk: entry)
      else { throw ChainHeadFault(description: "the key that signed the head is not in the JWK Set") }
      guard jws.isSigned(by: key) else { throw ChainHeadFault(description: "the head's signature is wrong") }
    }
    self = head
  }
}

extension PublicKey {
  /// A P-256 key; nil for any other.
  fileprivate convenience init?(jwk: JSONValue) {
    func coordinate(_ name: String) -> [UInt8] {
      if case .string(let text)? = jwk[name] { Base64.decodeURL(text) ?? [] } else { [] }
    }
    guard jwk["kty"] == .string("EC"), jwk["crv"] == .string("P-256") else { return nil }
    self.init(p256X: coordinate("x"), y: coordinate("y"))
  }
}
