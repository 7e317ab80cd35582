internal import JSON

/// A signed lease that was checked. Times are seconds since 1970.
public struct Lease: Sendable, Hashable {
  /// The server that signed it.
  public let issuer: String
  /// The identity's name.
  public let identity: String
  /// The organization's slug.
  public let organization: String
  public let product: String
  /// `lease`, `assigned` or `borrowed`.
  public let kind: String
  /// When it was signed, by the server's clock.
  public let issuedAt: Int64
  /// From when on it says nothing any more.
  public let expiresAt: Int64
  /// Of the key that whoever presents it must have (RFC 7638).
  public let keyThumbprint: String
  /// All of it, as JSON.
  public let json: String
}

extension Lease {
  init(claims: [UInt8]) throws(LeaseFault) {
    guard let document = try? JSONValue(parsing: claims) else { throw .malformed("the claims are no JSON") }
    func text(_ name: String) throws(LeaseFault) -> String {
      guard let text = document.text(name) else { throw .malformed("“\(name)” is no text") }
      return text
    }
    func number(_ name: String) throws(LeaseFault) -> Int64 {
      guard case .integer(let number) = document[name] else {
        throw .malformed("“\(name)” is no whole number")
      }
      return number
    }
    guard let thumbprint = document["cnf"]?.text("jkt") else { throw .malformed("it is bound to no key") }
    self.init(
      issuer: try text("iss"), identity: try text("sub"), organization: try text("organization"),
      product: try text("aud"), kind: try text("kind"), issuedAt: max(try number("iat"), try number("nbf")),
      expiresAt: try number("exp"), keyThumbprint: thumbprint, json: String(decoding: claims, as: UTF8.self))
  }
}
