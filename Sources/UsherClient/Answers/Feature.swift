internal import JSON

/// What a license says of one feature.
public enum Feature: Sendable, Hashable {
  case flag(Bool)
  case integer(Int64)
  case number(Double)
  case text(String)
}

extension Feature {
  /// The member `features` of a seat.
  static func all(in document: JSONValue) throws(ClientError) -> [String: Feature] {
    guard case .object(let members) = document["features"] else {
      throw .unreadable("the seat has no features")
    }
    var features: [String: Feature] = [:]
    for member in members {
      switch member.value {
      case .boolean(let flag): features[member.name] = .flag(flag)
      case .integer(let number): features[member.name] = .integer(number)
      case .number(let number): features[member.name] = .number(number)
      case .string(let text): features[member.name] = .text(text)
      case .null, .array, .object: throw .unreadable("the feature \(member.name) is no flag, number or text")
      }
    }
    return features
  }
}
