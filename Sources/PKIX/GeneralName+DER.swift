internal import Cryptography

extension GeneralName {
  /// The name's own encoding; nil for the kinds that Usher never writes.
  var der: [UInt8]? {
    switch self {
    case .email(let bytes): DER.implicit(1, bytes)
    case .dns(let bytes): DER.implicit(2, bytes)
    case .directoryName(let name): DER.tagged(4, name.der)
    case .uri(let bytes): DER.implicit(6, bytes)
    case .ip(let bytes): DER.implicit(7, bytes)
    case .registeredID, .otherName, .unsupported: nil
    }
  }

  /// A URI from text.
  public static func uri(_ text: String) -> GeneralName { .uri(Array(text.utf8)) }

  /// A DNS name from text.
  public static func dns(_ text: String) -> GeneralName { .dns(Array(text.utf8)) }
}
