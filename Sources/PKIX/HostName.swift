/// The shape of DNS names in certificates.
enum HostName {
  /// Letters, digits, hyphens and underscores in labels of 1 to 63; not an IPv4 address; perhaps `*.` in front.
  static func isFit(_ bytes: [UInt8], permitsWildcard: Bool) -> Bool {
    var labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    if permitsWildcard, labels.count > 1, labels[0].elementsEqual([UInt8(ascii: "*")]) {
      labels.removeFirst()
    }
    let isNumeric = labels.allSatisfy { $0.allSatisfy(isDigit) }
    return bytes.count <= 253 && !isNumeric
      && labels.allSatisfy { (1...63).contains($0.count) && $0.allSatisfy(isLabelByte) }
  }

  /// ASCII that prints, no space.
  static func isVisible(_ byte: UInt8) -> Bool { (0x21...0x7e).contains(byte) }

  /// ASCII letters in lowercase.
  static func lowercased(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isLabelByte(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }
}
