/// A customer of the vendor: the tenant that everything but products belongs to.
public struct Organization: Sendable, Equatable {
  public enum Status: Int16, Sendable, CaseIterable {
    case active = 1
    case suspended, deleted
  }

  public var record: Record<Organization>
  public let slug: Slug
  public var name: String
  public var status: Status
  /// Shown to people who are refused.
  public var contactURL: String?
  /// A host name that serves this organization alone; the others serve it too.
  public var hostname: String?
  /// How long an expired certificate may still renew itself, in seconds.
  public var renewAfterExpirySeconds: Int64
  /// What its devices' certificates are like.
  public var certificates: CertificateTerms

  public init(
    record: Record<Organization>, slug: Slug, name: String, status: Status, contactURL: String?,
    hostname: String?,
    renewAfterExpirySeconds: Int64, certificates: CertificateTerms = CertificateTerms()
  ) {
    self.record = record
    self.slug = slug
    self.name = name
    self.status = status
    self.contactURL = contactURL
    self.hostname = hostname
    self.renewAfterExpirySeconds = renewAfterExpirySeconds
    self.certificates = certificates
  }
}

public struct NewOrganization: Sendable {
  public var record: NewRecord
  public var slug: Slug
  public var name: String
  public var contactURL: String?
  public var hostname: String?
  /// Nil: thirty days.
  public var renewAfterExpirySeconds: Int64?
  public var certificates: CertificateTerms

  public init(
    record: NewRecord, slug: Slug, name: String, contactURL: String? = nil, hostname: String? = nil,
    renewAfterExpirySeconds: Int64? = nil, certificates: CertificateTerms = CertificateTerms()
  ) {
    self.record = record
    self.slug = slug
    self.name = name
    self.contactURL = contactURL
    self.hostname = hostname
    self.renewAfterExpirySeconds = renewAfterExpirySeconds
    self.certificates = certificates
  }
}
