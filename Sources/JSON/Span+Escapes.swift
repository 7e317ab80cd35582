extension Span<UInt8> {
  /// Whether one of the bytes must be escaped (RFC 8259 §7).
  ///
  /// Eight are looked at in one go, or four; the last ones may be seen twice.
  // Part of its one caller: a call and its constants would cost as much as the look at a short text.
  @inline(__always) var needsEscapes: Bool {
    if count >= 8 {
      let last = count &- 8
      var (index, found) = (0, word(at: last).bytesToEscape)
      while index < last {
        found |= word(at: index).bytesToEscape
        index &+= 8
      }
      return found != 0
    }
    if count >= 4 { return (halfWord(at: 0) | halfWord(at: count &- 4) &<< 32).bytesToEscape != 0 }
    for index in indices where self[index].mustBeEscaped { return true }
    return false
  }

  // The range is checked once, and the compiler makes one load of the rest.
  @inline(__always) private func word(at start: Int) -> UInt64 {
    let bytes = extracting(start..<(start &+ 8))
    let low = UInt64(bytes[0]) | UInt64(bytes[1]) &<< 8 | UInt64(bytes[2]) &<< 16 | UInt64(bytes[3]) &<< 24
    let high = UInt64(bytes[4]) | UInt64(bytes[5]) &<< 8 | UInt64(bytes[6]) &<< 16 | UInt64(bytes[7]) &<< 24
    return low | high &<< 32
  }

  @inline(__always) private func halfWord(at start: Int) -> UInt64 {
    let bytes = extracting(start..<(start &+ 4))
    return UInt64(bytes[0]) | UInt64(bytes[1]) &<< 8 | UInt64(bytes[2]) &<< 16 | UInt64(bytes[3]) &<< 24
  }
}

extension UInt8 {
  /// Whether it is a control character, a quotation mark or a reverse solidus.
  fileprivate var mustBeEscaped: Bool {
    self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\")
  }
}

extension UInt64 {
  /// Not zero if one of the eight bytes must be escaped.
  ///
  /// In each term the highest bit of a byte below 0x80 is set where the subtraction borrowed from it. A borrow from the
  /// byte below may set one too many, but not without one that is set rightly.
  fileprivate var bytesToEscape: UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let (quote, solidus) = (self ^ (ones &* 0x22), self ^ (ones &* 0x5c))
    let borrowed = (self &- ones &* 0x20) | (quote &- ones) | (solidus &- ones)
    return borrowed & ~self & (ones &* 0x80)
  }
}
