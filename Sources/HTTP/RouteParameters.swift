/// The segments of a path that stand where the pattern has `{name}`.
public struct RouteParameters: Sendable {
  /// The most that a pattern may have: so many need no allocation.
  static let limit = 4

  private let names: [String]
  private let values: [4 of ByteRange]
  private let bytes: [UInt8]

  init(names: [String], values: [4 of ByteRange], bytes: [UInt8]) {
    self.names = names
    self.values = values
    self.bytes = bytes
  }

  /// The percent-decoded segment; it is never empty. A name that the pattern does not have gives an empty string.
  public subscript(_ name: String) -> String {
    guard let index = names.firstIndex(of: name) else { return "" }
    let segment = bytes[values[index].indices]
    guard segment.contains(UInt8(ascii: "%")) else { return String(decoding: segment, as: UTF8.self) }
    return String(decoding: [UInt8](percentDecoding: bytes.span, values[index]), as: UTF8.self)
  }
}
