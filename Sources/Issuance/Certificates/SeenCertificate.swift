public import Licensing

/// A certificate of an external CA that has come, and the name that the authority's mapping reads in it.
public struct SeenCertificate: Sendable {
  public let facts: CertificateFacts
  public let name: ExternalName

  public init(_ facts: CertificateFacts, named name: ExternalName) {
    self.facts = facts
    self.name = name
  }
}

/// What the database knows of a certificate that has come.
public struct KnownCertificate: Sendable {
  /// Who has the name, tombstones too.
  public let identity: Identity?
  /// The certificate's row, if it was seen before.
  public let row: (key: Key<CertificateRecord>, status: CertificateRecord.Status)?

  public init(identity: Identity?, row: (key: Key<CertificateRecord>, status: CertificateRecord.Status)?) {
    self.identity = identity
    self.row = row
  }
}
