/// What a license switches on in the app: name → true, number or string, passed through to the seat.
public typealias Features = [String: FeatureValue]

public enum FeatureValue: Sendable, Hashable {
  case flag(Bool)
  case integer(Int64)
  case number(Double)
  case text(String)
}
