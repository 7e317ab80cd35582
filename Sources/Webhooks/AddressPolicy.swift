/// To which addresses requests may be sent that somebody else has chosen.
public enum AddressPolicy: String, Sendable, CaseIterable {
  /// Those of the open internet, over HTTPS alone.
  case `public`
  /// All, and plain HTTP too: for receivers in one's own network.
  case any

  /// Whether a connection may be made; the address is in network order, 4 or 16 bytes.
  public func permits(_ address: [UInt8]) -> Bool {
    if self == .any { return true }
    switch address.count {
    case 4: return !Self.ownNetworks4.contains { $0.contains(address) }
    case 16:
      // What holds an IPv4 address goes where that goes: mapped, compatible, NAT64 (RFC 6052), 6to4 (RFC 3056).
      for (prefix, start) in Self.embedding where address.starts(with: prefix) {
        return permits(Array(address[start..<start + 4]))
      }
      // Global unicast is 2000::/3 (RFC 4291); all else is loopback, local, multicast or reserved.
      return address[0] & 0xe0 == 0x20 && !Self.special6.contains { $0.contains(address) }
    case _: return false
    }
  }

  private struct Network {
    let prefix: [UInt8]
    let bits: Int

    func contains(_ address: [UInt8]) -> Bool {
      for bit in 0..<bits {
        let mask: UInt8 = 0x80 >> UInt8(bit % 8)
        if prefix[bit / 8] & mask != address[bit / 8] & mask { return false }
      }
      return true
    }
  }

  /// The IANA registry of special-purpose addresses (RFC 6890) that are not globally reachable, and multicast.
  private static let ownNetworks4 = [
    ([0, 0, 0, 0], 8), ([10, 0, 0, 0], 8), ([100, 64, 0, 0], 10), ([127, 0, 0, 0], 8),
    ([169, 254, 0, 0], 16),
    ([172, 16, 0, 0], 12), ([192, 0, 0, 0], 24), ([192, 0, 2, 0], 24), ([192, 88, 99, 0], 24),
    ([192, 168, 0, 0], 16), ([198, 18, 0, 0], 15), ([198, 51, 100, 0], 24), ([203, 0, 113, 0], 24),
    ([224, 0, 0, 0], 3),
  ].map(Network.init)

  private static let special6 = [
    // IETF protocols with Teredo, documentation.
    ([0x20, 0x01, 0x00, 0x00], 23), ([0x20, 0x01, 0x0d, 0xb8], 32), ([0x3f, 0xff, 0x00], 20),
  ].map(Network.init)

  private static let embedding: [(prefix: [UInt8], start: Int)] = [
    ([UInt8](repeating: 0, count: 10) + [0xff, 0xff], 12), ([UInt8](repeating: 0, count: 12), 12),
    ([0x00, 0x64, 0xff, 0x9b] + [UInt8](repeating: 0, count: 8), 12), ([0x20, 0x02], 2),
  ]
}
