/// A public id: a UUID version 7 (RFC 9562 §5.7), made by the server and opaque to clients.
public struct Identifier: Sendable, Hashable {
  /// The sixteen octets, most significant first.
  public let high: UInt64
  public let low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// A new id from the time and 74 random bits of `random`.
  public init(at time: Instant, random: (UInt64, UInt64)) {
    let milliseconds = UInt64(clamping: time.microseconds / 1000) & 0xFFFF_FFFF_FFFF
    high = milliseconds << 16 | 0x7000 | random.0 & 0x0FFF
    low = 0x8000_0000_0000_0000 | random.1 & 0x3FFF_FFFF_FFFF_FFFF
  }

  /// Parses the 36-character form in either case; nil for anything else.
  public init?(_ text: String) {
    var nibbles: [UInt64] = []
    nibbles.reserveCapacity(32)
    for (index, byte) in text.utf8.enumerated() {
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): nibbles.append(UInt64(byte - 48))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): nibbles.append(UInt64(byte - 87))
      case UInt8(ascii: "A")...UInt8(ascii: "F"): nibbles.append(UInt64(byte - 55))
      case _: return nil
      }
    }
    guard nibbles.count == 32, text.utf8.count == 36 else { return nil }
    high = nibbles[..<16].reduce(0) { $0 << 4 | $1 }
    low = nibbles[16...].reduce(0) { $0 << 4 | $1 }
  }
}

extension Identifier: CustomStringConvertible {
  public var description: String {
    let text = [UInt8](capacity: Identifier.length) { output in append(to: &output) }
    return String(decoding: text, as: UTF8.self)
  }

  /// How many characters its text has; all are ASCII.
  public static let length = 36

  /// Appends the text to whatever has room for it.
  public func append(to output: inout OutputSpan<UInt8>) {
    for index in 0..<32 {
      if index == 8 || index == 12 || index == 16 || index == 20 { output.append(UInt8(ascii: "-")) }
      let half = index < 16 ? high : low
      let digit = UInt8(truncatingIfNeeded: half >> UInt64(60 - index % 16 * 4) & 0xF)
      output.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
    }
  }
}
