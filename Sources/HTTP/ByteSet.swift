/// A set of ASCII characters, as a bit map that the optimizer keeps in two registers.
struct ByteSet {
  private let low: UInt64
  private let high: UInt64

  func contains(_ byte: UInt8) -> Bool {
    byte < 0x80 && (byte < 0x40 ? low : high) >> UInt64(byte & 0x3f) & 1 == 1
  }

  /// `tchar` (RFC 9110 §5.6.2): letters, digits and ``!#$%&'*+-.^_`|~``.
  static let token = ByteSet(low: 0x03ff_6cfa_0000_0000, high: 0x57ff_ffff_c7ff_fffe)
  /// `pchar` and `/` (RFC 3986 §3.3), but `%`: an escape is judged as a whole.
  static let path = ByteSet(low: 0x2fff_ffd2_0000_0000, high: 0x47ff_fffe_87ff_ffff)
  /// What a query holds (RFC 3986 §3.4), but `%`.
  static let query = ByteSet(low: 0xafff_ffd2_0000_0000, high: 0x47ff_fffe_87ff_ffff)
  /// `reg-name` (RFC 3986 §3.2.2), but `%`: no host we serve has an escape in its name.
  static let hostName = ByteSet(low: 0x2bff_7fd2_0000_0000, high: 0x47ff_fffe_87ff_fffe)
  /// What stands between the brackets of an IPv6 literal.
  static let ipv6 = ByteSet(low: 0x07ff_4000_0000_0000, high: 0x0000_007e_0000_007e)
}
