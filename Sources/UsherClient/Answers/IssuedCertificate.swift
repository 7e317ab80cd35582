internal import JSON

/// A certificate that the server has just issued. Times are seconds since 1970.
public struct IssuedCertificate: Sendable, Hashable {
  /// The certificate and those that signed it, leaf first, in PEM.
  public let chainPEM: String
  /// The name of the identity that it speaks for.
  public let identity: String
  /// The organization's slug.
  public let organization: String
  /// Where it is shown to claim seats.
  public let deviceURL: String
  /// The last second of its validity.
  public let notAfter: Int64
  /// When to renew it.
  public let renewAfter: Int64
}

extension IssuedCertificate {
  init(_ answer: Answer) throws(ClientError) {
    let document = try answer.document()
    self.init(
      chainPEM: try document.string("chain"), identity: try document.string("identity"),
      organization: try document.string("organization"), deviceURL: try document.string("deviceURL"),
      notAfter: try document.time("notAfter"), renewAfter: try document.time("renewAfter"))
  }
}
