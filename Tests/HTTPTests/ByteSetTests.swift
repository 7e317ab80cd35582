import Testing

@testable import HTTP

struct ByteSetTests {
  static let letters =
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).map { $0 } + (UInt8(ascii: "a")...UInt8(ascii: "z"))
  static let digits = Array("0123456789".utf8)

  /// What the RFCs list, each beside its bit map.
  static let sets: [(String, ByteSet, [UInt8])] = [
    ("tchar", .token, letters + digits + Array("!#$%&'*+-.^_`|~".utf8)),
    ("pchar and /", .path, letters + digits + Array("-._~!$&'()*+,;=:@/".utf8)),
    ("query", .query, letters + digits + Array("-._~!$&'()*+,;=:@/?".utf8)),
    ("reg-name", .hostName, letters + digits + Array("-._~!$&'()*+,;=".utf8)),
    ("IPv6", .ipv6, digits + Array("abcdefABCDEF:.".utf8)),
  ]

  @Test(arguments: sets.indices) func `A set holds what its RFC lists`(_ index: Int) {
    let (name, set, bytes) = ByteSetTests.sets[index]
    for byte in UInt8.min...UInt8.max {
      #expect(set.contains(byte) == bytes.contains(byte), "\(name) and byte \(byte)")
    }
  }

  @Test func `Field content is what RFC 9110 allows`() {
    for byte in UInt8.min...UInt8.max {
      #expect(byte.isFieldContent == (byte == 9 || (0x20...0x7e).contains(byte) || byte >= 0x80))
    }
  }
}
