/// A method, a pattern and what stands behind them.
public struct Route<Value: Sendable>: Sendable {
  public let method: Method
  /// Literal segments and `{name}` for one segment of any content, such as `/v1/organizations/{org}/licenses/{id}`.
  public let pattern: String
  public let value: Value

  public init(_ method: Method, _ pattern: String, _ value: Value) {
    self.method = method
    self.pattern = pattern
    self.value = value
  }
}

/// Why a table of routes is none: two routes take the same path, or a pattern makes no sense.
public struct RouteConflict: Error, Sendable, Hashable, CustomStringConvertible {
  public let description: String
}

/// The segments of a path that stand where the pattern has `{name}`.
public struct RouteParameters: Sendable {
  private let names: [String]
  private let values: [ByteRange]
  private let bytes: [UInt8]

  init(names: [String], values: [ByteRange], bytes: [UInt8]) {
    self.names = names
    self.values = values
    self.bytes = bytes
  }

  /// The percent-decoded segment; it is never empty. A name that the pattern does not have gives an empty string.
  public subscript(_ name: String) -> String {
    guard let index = names.firstIndex(of: name) else { return "" }
    let range = values[index]
    guard bytes[range.indices].contains(UInt8(ascii: "%")) else {
      return String(decoding: bytes[range.indices], as: UTF8.self)
    }
    return String(decoding: [UInt8](percentDecoding: bytes.span, range), as: UTF8.self)
  }
}
