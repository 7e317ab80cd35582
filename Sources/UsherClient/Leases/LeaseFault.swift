/// Why a signed lease is not believed.
public enum LeaseFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// It is no lease, or one that nobody here can read.
  case malformed(String)
  /// No published key has this id: fetch the key set again.
  case unknownKey(String)
  case badSignature
  /// The clock stands before the time at which the lease was signed: it was set back.
  case clockSetBack
  case expired
  /// It belongs to another device's key.
  case otherKey

  public var description: String {
    switch self {
    case .malformed(let reason): "it is no lease that can be read: \(reason)"
    case .unknownKey(let id): "it was signed by a key that the key set does not have: \(id)"
    case .badSignature: "its signature is wrong"
    case .clockSetBack: "the clock stands before the time at which it was signed"
    case .expired: "it has expired"
    case .otherKey: "it belongs to another key than this device's"
    }
  }
}
