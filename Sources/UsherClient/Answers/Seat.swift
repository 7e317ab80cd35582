internal import JSON

/// A seat that this device's identity holds. Times are seconds since 1970 by the server's clock.
public struct Seat: Sendable, Hashable {
  /// How a seat is held.
  public enum Kind: String, Sendable, Hashable {
    /// Until it expires, unless it is claimed again.
    case lease
    /// For good, by the organization.
    case assigned
    /// Taken along for a time without the server.
    case borrowed
  }

  /// The product's code.
  public let product: String
  /// The license that the seat is of.
  public let license: String
  /// The organization's slug.
  public let organization: String
  /// The name of the identity that holds the seat.
  public let identity: String
  /// How it is held.
  public let kind: Kind
  /// Changes whenever the seat was lost in between: work done under another generation was done without it.
  public let generation: Int64
  /// Changes with everything but a renewal.
  public let revision: Int64
  /// Since when the identity holds it.
  public let grantedAt: Int64
  /// When the server gives the seat to another; nil: assigned for good.
  public let expiresAt: Int64?
  /// Until when the app may work without hearing from the server.
  public let validUntil: Int64
  /// The same in seconds from now, for a clock that counts sleep.
  public let validIn: Int64
  /// After how many seconds to claim again.
  public let renewIn: Int64
  /// For how many seconds after `validUntil` the app may warn before it stops.
  public let graceSeconds: Int64
  /// Whether it was granted beyond the license's seats.
  public let overdraft: Bool
  /// What the license permits.
  public let features: [String: Feature]
  /// Whether this claim took the seat, rather than renewing it.
  public let isNew: Bool
  /// The answer as the server gave it, as JSON.
  public let json: String
}

extension Seat {
  init(_ answer: Answer) throws(ClientError) {
    let document = try answer.document()
    guard let kind = Kind(rawValue: try document.string("kind")) else {
      throw .unreadable("the seat is of an unknown kind")
    }
    self.init(
      product: try document.string("product"), license: try document.string("license"),
      organization: try document.string("organization"), identity: try document.string("identity"),
      kind: kind,
      generation: try document.integer("generation"), revision: try document.integer("revision"),
      grantedAt: try document.time("grantedAt"),
      expiresAt: document["expiresAt"] == .null ? nil : try document.time("expiresAt"),
      validUntil: try document.time("validUntil"), validIn: try document.integer("validIn"),
      renewIn: try document.integer("renewIn"), graceSeconds: try document.integer("graceSeconds"),
      overdraft: try document.boolean("overdraft"), features: try Feature.all(in: document),
      isNew: answer.status == 201, json: String(decoding: answer.body, as: UTF8.self))
  }
}
