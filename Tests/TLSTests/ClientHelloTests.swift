import Testing

@testable import TLS

@Suite struct ClientHelloTests {
  private static func extending(_ name: String) -> [UInt8] {
    let name = [UInt8](name.utf8)
    return [UInt8((name.count + 3) >> 8), UInt8((name.count + 3) & 255), 0, UInt8(name.count >> 8)]
      + [UInt8(name.count & 255)] + name
  }

  @Test func `a host name is read in lower case`() {
    #expect(serverName(in: Self.extending("License.Example_1.COM")) == "license.example_1.com")
  }

  @Test(arguments: [
    [], [0], [0, 3, 0, 0, 0], extending(""), extending("a b"), extending("a\0b"), extending("caf\u{e9}"),
    extending("a") + [0], [0, 4, 1, 0, 1, 97], [0, 5, 0, 0, 1, 97], [0, 4, 0, 0, 2, 97],
    extending(String(repeating: "a", count: 254)),
  ]) func `anything else is no host name`(bytes: [UInt8]) {
    #expect(serverName(in: bytes) == nil)
  }
}
