public import PKIX

/// A serial number on a list of an external authority, and whose list it is.
public struct Listing: Sendable {
  /// As certificates are stored: lower-case hex without leading zero octets.
  public let serialNumber: String
  /// SHA-256 of the key that signed the list.
  public let issuerKey: [UInt8]
  /// The certificate, DER, by which the list was believed.
  public let issuer: [UInt8]

  public init(serialNumber: String, issuerKey: [UInt8], issuer: [UInt8]) {
    self.serialNumber = serialNumber
    self.issuerKey = issuerKey
    self.issuer = issuer
  }

  /// Whether it means the certificate: other CAs of the same authority use the same serial numbers.
  public func names(_ certificate: Certificate) -> Bool {
    guard certificate.serialNumber.description == serialNumber, let issuer = try? Certificate(der: issuer),
      let key = issuer.publicKey
    else { return false }
    return certificate.isSigned(by: key)
  }
}
