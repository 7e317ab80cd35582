internal import JSON

/// Who the server says this device is. Times are seconds since 1970.
public struct IdentityReport: Sendable, Hashable {
  /// The organization's slug.
  public let organization: String
  /// The identity's name.
  public let identity: String
  /// The certificate's serial number in hexadecimal.
  public let serialNumber: String
  /// SHA-256 of the certificate in hexadecimal.
  public let fingerprint: String
  /// The last second of the certificate's validity.
  public let notAfter: Int64
  /// When to renew the certificate; nil where the server does not issue it.
  public let renewAfter: Int64?
  /// The answer as the server gave it, the seats included, as JSON.
  public let json: String
}

extension IdentityReport {
  init(_ answer: Answer) throws(ClientError) {
    let document = try answer.document()
    guard let certificate = document["certificate"] else {
      throw .unreadable("the identity has no certificate")
    }
    self.init(
      organization: try document.string("organization"), identity: try document.string("identity"),
      serialNumber: try certificate.string("serialNumber"),
      fingerprint: try certificate.string("fingerprint"),
      notAfter: try certificate.time("notAfter"),
      renewAfter: certificate.text("renewAfter") == nil ? nil : try certificate.time("renewAfter"),
      json: String(decoding: answer.body, as: UTF8.self))
  }
}
