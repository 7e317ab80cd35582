internal import COpenSSL
internal import Cryptography

/// A certificate's serial number in one canonical form: the magnitude's bytes without leading zeros.
///
/// `description` is lowercase hexadecimal with two digits for each byte, the form in which Usher stores and shows it.
public struct SerialNumber: Sendable, Hashable, CustomStringConvertible {
  /// The magnitude, big-endian; zero is one zero byte.
  public let bytes: [UInt8]
  /// RFC 5280 forbids negative ones; they exist all the same.
  public let isNegative: Bool

  /// The number with these bytes, leading zeros removed.
  public init(bytes: [UInt8], isNegative: Bool = false) {
    let magnitude = bytes.drop { $0 == 0 }
    self.bytes = magnitude.isEmpty ? [0] : Array(magnitude)
    self.isNegative = isNegative && !magnitude.isEmpty
  }

  /// Reads hexadecimal digits of any case, with or without colons between the bytes.
  public init?(hexadecimal text: String) {
    guard let bytes = Hexadecimal.decode(text.filter { $0 != ":" }), !bytes.isEmpty else { return nil }
    self.init(bytes: bytes)
  }

  init(_ integer: UnsafePointer<ASN1_INTEGER>?) {
    guard let integer = unsafe integer else {
      self.init(bytes: [])
      return
    }
    // SAFETY: an ASN1_INTEGER holds `length` bytes of magnitude and its sign in the type.
    self.init(
      bytes: unsafe ASN1Text.bytes(integer),
      isNegative: unsafe integer.pointee.type & V_ASN1_NEG != 0)
  }

  /// Whether it is zero.
  public var isZero: Bool { bytes == [0] }

  /// Octets that its DER INTEGER takes, which RFC 5280 bounds to 20.
  public var encodedLength: Int { bytes.count + (bytes[0] & 0x80 != 0 ? 1 : 0) }

  public var description: String { (isNegative ? "-" : "") + Hexadecimal.encode(bytes) }
}
