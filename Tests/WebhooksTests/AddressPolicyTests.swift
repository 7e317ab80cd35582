import Testing

@testable import Webhooks

/// What may not be reached from outside is not reached through a webhook.
@Suite struct AddressPolicyTests {
  @Test(
    arguments: [
      [127, 0, 0, 1], [10, 1, 2, 3], [172, 16, 0, 1], [172, 31, 255, 255], [192, 168, 1, 1],
      [169, 254, 169, 254],
      [100, 64, 0, 1], [100, 127, 255, 255], [0, 0, 0, 0], [224, 0, 0, 1], [255, 255, 255, 255],
      [198, 19, 0, 1],
      [192, 0, 2, 7], [198, 51, 100, 7], [203, 0, 113, 7], [192, 0, 0, 8], [240, 0, 0, 1], [192, 88, 99, 1],
    ] as [[UInt8]])
  func `an IPv4 address of one's own is refused, in every form of IPv6 too`(address: [UInt8]) {
    #expect(!AddressPolicy.public.permits(address))
    #expect(!AddressPolicy.public.permits([UInt8](repeating: 0, count: 10) + [0xff, 0xff] + address))
    #expect(!AddressPolicy.public.permits([UInt8](repeating: 0, count: 12) + address))
    #expect(!AddressPolicy.public.permits([0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0] + address))
    #expect(!AddressPolicy.public.permits([0x20, 0x02] + address + [UInt8](repeating: 1, count: 10)))
    #expect(AddressPolicy.any.permits(address))
  }

  @Test(
    arguments: [
      [8, 8, 8, 8], [172, 15, 0, 1], [172, 32, 0, 1], [100, 63, 0, 1], [100, 128, 0, 1], [198, 20, 0, 1],
      [0x26, 0x06, 0x47, 0, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x11, 0x11],
      [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8],
    ] as [[UInt8]])
  func `an address of the open internet is permitted`(address: [UInt8]) {
    #expect(AddressPolicy.public.permits(address))
  }

  @Test(
    arguments: [
      [], [1, 2, 3], [UInt8](repeating: 0, count: 16), [UInt8](repeating: 0, count: 15) + [1],
      [0xfe, 0x80] + [UInt8](repeating: 1, count: 14), [0xfc, 0] + [UInt8](repeating: 1, count: 14),
      [0xfd, 0] + [UInt8](repeating: 1, count: 14), [0xff, 2] + [UInt8](repeating: 1, count: 14),
      [0x20, 1, 0x0d, 0xb8] + [UInt8](repeating: 1, count: 12),
      [0x20, 1, 0, 0] + [UInt8](repeating: 1, count: 12),
      [1, 0] + [UInt8](repeating: 0, count: 14),
    ] as [[UInt8]])
  func `what is local, reserved or no address is refused`(address: [UInt8]) {
    #expect(!AddressPolicy.public.permits(address))
  }
}
