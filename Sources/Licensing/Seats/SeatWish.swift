/// What a request demands of the license that is to give the seat. Whoever holds a seat already keeps that one.
public struct SeatWish: Sendable, Hashable {
  /// Any license will do.
  public static let none = SeatWish()

  /// Only this one.
  public var license: Identifier?
  /// Names of features that the license must have, other than as `false`.
  public var features: [String]

  public init(license: Identifier? = nil, features: [String] = []) {
    self.license = license
    self.features = features
  }
}
