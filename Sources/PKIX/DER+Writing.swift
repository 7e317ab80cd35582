package import Cryptography

/// DER (X.690) written value by value; everything that Usher signs is put together from these.
extension DER {
  /// One value: tag, definite length, contents.
  package static func value(tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
    var header = [tag]
    if contents.count < 0x80 {
      header.append(UInt8(contents.count))
    } else {
      let length = contents.count.bigEndianBytes
      header.append(0x80 | UInt8(length.count))
      header += length
    }
    return header + contents
  }

  /// A SEQUENCE of encoded values.
  package static func sequence(_ parts: [UInt8]...) -> [UInt8] { value(tag: 0x30, parts.flatMap { $0 }) }

  /// A SEQUENCE OF.
  package static func sequence(of parts: [[UInt8]]) -> [UInt8] { value(tag: 0x30, parts.flatMap { $0 }) }

  /// A SET with one member, so that there is nothing to sort.
  package static func set(_ part: [UInt8]) -> [UInt8] { value(tag: 0x31, part) }

  /// An INTEGER that is not negative, from its big-endian magnitude.
  package static func integer(_ magnitude: [UInt8]) -> [UInt8] {
    let digits = magnitude.drop { $0 == 0 }
    let needsZero = digits.first.map { $0 & 0x80 != 0 } ?? true
    return value(tag: 0x02, (needsZero ? [0] : []) + digits)
  }

  /// A small INTEGER.
  package static func integer(_ number: Int) -> [UInt8] { integer(number.bigEndianBytes) }

  /// A BOOLEAN.
  package static func boolean(_ flag: Bool) -> [UInt8] { value(tag: 0x01, [flag ? 0xff : 0]) }

  /// A BIT STRING of whole bytes.
  package static func bitString(_ bytes: [UInt8]) -> [UInt8] { value(tag: 0x03, [0] + bytes) }

  /// A BIT STRING of named bits, bit 0 first, without trailing zero bits (X.690 section 11.2.2).
  package static func namedBits(_ bits: UInt16) -> [UInt8] {
    guard bits != 0 else { return value(tag: 0x03, [0]) }
    let last = 15 - bits.leadingZeroBitCount
    var bytes = [UInt8](repeating: 0, count: last / 8 + 1)
    for bit in 0...last where bits & 1 << UInt16(bit) != 0 { bytes[bit / 8] |= 0x80 >> UInt8(bit % 8) }
    return value(tag: 0x03, [UInt8(7 - last % 8)] + bytes)
  }

  /// An OCTET STRING.
  package static func octetString(_ bytes: [UInt8]) -> [UInt8] { value(tag: 0x04, bytes) }

  /// A NULL.
  package static let null: [UInt8] = [0x05, 0x00]

  /// An ENUMERATED of one octet.
  package static func enumerated(_ number: UInt8) -> [UInt8] { value(tag: 0x0a, [number]) }

  /// A UTF8String.
  package static func utf8String(_ text: String) -> [UInt8] { value(tag: 0x0c, Array(text.utf8)) }

  /// An OBJECT IDENTIFIER.
  package static func objectIdentifier(_ identifier: ObjectIdentifier) -> [UInt8] {
    let arcs = identifier.dotted.split(separator: ".").compactMap { Int($0) }
    guard arcs.count >= 2 else { return value(tag: 0x06, []) }
    let numbers = [arcs[0] * 40 + arcs[1]] + arcs.dropFirst(2)
    return value(
      tag: 0x06,
      numbers.flatMap { number in
        var groups = [UInt8(number & 0x7f)]
        var rest = number >> 7
        while rest > 0 {
          groups.insert(UInt8(rest & 0x7f) | 0x80, at: 0)
          rest >>= 7
        }
        return groups
      })
  }

  /// A constructed context-specific value `[number]`.
  package static func tagged(_ number: UInt8, _ parts: [UInt8]...) -> [UInt8] {
    value(tag: 0xa0 | number, parts.flatMap { $0 })
  }

  /// A primitive context-specific value `[number]`.
  package static func implicit(_ number: UInt8, _ contents: [UInt8]) -> [UInt8] {
    value(tag: 0x80 | number, contents)
  }
}

extension Int {
  /// The bytes of a number that is not negative, without leading zeros; none for zero.
  fileprivate var bigEndianBytes: [UInt8] {
    stride(from: bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> $0) }
      .drop { $0 == 0 }.map { $0 }
  }
}
