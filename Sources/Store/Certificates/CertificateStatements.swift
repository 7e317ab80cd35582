import Issuance
import Licensing
import Postgres

/// A statement whose rows are those of the view `certificate_state`.
protocol CertificateStatement: Statement where Row == CertificateRecord {}

extension CertificateStatement {
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> CertificateRecord {
    CertificateRecord(
      key: try columns.key(0), organization: try columns.key(1), authority: try columns.key(2),
      authorityID: try columns.identifier(3), identity: try columns.key(4),
      identityID: try columns.identifier(5),
      facts: CertificateFacts(
        der: try columns.bytes(6), serialNumber: try columns.string(7), fingerprint: try columns.bytes(8),
        spki: try columns.bytes(9), notBefore: try columns.instant(10), notAfter: try columns.instant(11)),
      source: try columns.code(12), status: try columns.code(13), revokedAt: try columns.optionalInstant(14),
      reason: try columns.optionalInt16(15).flatMap(RevocationReason.init), createdAt: try columns.instant(16)
    )
  }
}

struct FindCertificatesByFingerprint: CertificateStatement {
  static let sql: StaticString = """
    SELECT id, organization_id, authority_id, authority, identity_id, identity, der, serial, fingerprint, spki_sha256,
      not_before, not_after, source, status, revoked_at, reason, created_at
    FROM certificate_state WHERE organization_id = $1 AND fingerprint = $2
    """
  let organization: Key<Organization>
  let fingerprint: [UInt8]
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(fingerprint)
  }
}

/// Several authorities may have used one serial number.
struct FindCertificatesBySerialNumber: CertificateStatement {
  static let sql: StaticString = """
    SELECT id, organization_id, authority_id, authority, identity_id, identity, der, serial, fingerprint, spki_sha256,
      not_before, not_after, source, status, revoked_at, reason, created_at
    FROM certificate_state WHERE organization_id = $1 AND serial = $2 ORDER BY id
    """
  let organization: Key<Organization>
  let serialNumber: String
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(serialNumber)
  }
}

struct LockCertificate: Statement {
  static let sql: StaticString =
    "SELECT FROM certificate WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE"
  let organization: Key<Organization>
  let certificate: Key<CertificateRecord>
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(certificate)
  }
}

struct ListCertificates: CertificateStatement {
  static let sql: StaticString = """
    SELECT id, organization_id, authority_id, authority, identity_id, identity, der, serial, fingerprint, spki_sha256,
      not_before, not_after, source, status, revoked_at, reason, created_at
    FROM certificate_state WHERE organization_id = $1 AND identity_id = $2 AND id > $3 ORDER BY id LIMIT $4
    """
  let organization: Key<Organization>
  let identity: Key<Identity>
  let page: PageRequest
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(identity)
    parameters.append(page)
  }
}

struct ReadCertificate: CertificateStatement {
  static let sql: StaticString = """
    SELECT id, organization_id, authority_id, authority, identity_id, identity, der, serial, fingerprint, spki_sha256,
      not_before, not_after, source, status, revoked_at, reason, created_at
    FROM certificate_state WHERE id = $1
    """
  let certificate: Key<CertificateRecord>
  func bind(_ parameters: inout Parameters) { parameters.append(certificate) }
}

struct InsertCertificate: Statement {
  static let sql: StaticString = """
    INSERT INTO certificate (organization_id, authority_id, identity_id, der, serial, fingerprint, spki_sha256,
      not_before, not_after, source, predecessor_id, enrollment_id)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 1, $10, $11) RETURNING id
    """
  let facts: CertificateFacts
  let authority: Authority
  let identity: Key<Identity>
  let origin: CertificateOrigin?
  func bind(_ parameters: inout Parameters) {
    parameters.append(authority.organization)
    parameters.append(authority.record.key)
    parameters.append(identity)
    parameters.append(facts.der)
    parameters.append(facts.serialNumber)
    parameters.append(facts.fingerprint)
    parameters.append(facts.spki)
    parameters.append(facts.notBefore)
    parameters.append(facts.notAfter)
    var predecessor: Key<CertificateRecord>?
    var enrollment: Key<Enrollment>?
    switch origin {
    case .renewal(let certificate): predecessor = certificate
    case .enrollment(let key, _): enrollment = key
    case nil: break
    }
    parameters.append(predecessor)
    parameters.append(enrollment)
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Key<CertificateRecord> {
    try columns.key(0)
  }
}

struct RevokeCertificate: Statement {
  static let sql: StaticString = """
    UPDATE certificate SET status = 2, revoked_at = now(), reason = $3
    WHERE organization_id = $1 AND id = $2 AND status = 1
    """
  let organization: Key<Organization>
  let certificate: Key<CertificateRecord>
  let reason: RevocationReason
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(certificate)
    parameters.append(reason.rawValue)
  }
}

/// What is known of a key: the identity of the organization that had it last, and what speaks against it anywhere.
struct FindKeyHistory: Statement {
  static let sql: StaticString = """
    SELECT
      (SELECT identity_id FROM certificate WHERE organization_id = $1 AND spki_sha256 = $2 ORDER BY id DESC LIMIT 1),
      EXISTS (SELECT FROM certificate WHERE spki_sha256 = $2 AND status = 2 AND reason = 1),
      EXISTS (SELECT FROM authority WHERE spki_sha256 = $2 AND proven_at IS NOT NULL AND status < 5)
    """
  let organization: Key<Organization>
  let spki: [UInt8]
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(spki)
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> KeyHistory {
    KeyHistory(
      holder: try columns.optionalKey(0), isCompromised: try columns.bool(1), isAuthority: try columns.bool(2)
    )
  }
}

/// Locked, so that none is used between being found unused and being revoked.
struct FindSuccessors: Statement {
  static let sql: StaticString = """
    SELECT id, status, spki_sha256, not_after, used_at, created_at FROM certificate
    WHERE organization_id = $1 AND predecessor_id = $2 ORDER BY id FOR NO KEY UPDATE
    """
  let organization: Key<Organization>
  let certificate: Key<CertificateRecord>
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(certificate)
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Successor {
    Successor(
      key: try columns.key(0), status: try columns.code(1), spki: try columns.bytes(2),
      notAfter: try columns.instant(3), usedAt: try columns.optionalInstant(4),
      createdAt: try columns.instant(5))
  }
}

struct FindEnrolledCertificate: CertificateStatement {
  static let sql: StaticString = """
    SELECT id, organization_id, authority_id, authority, identity_id, identity, der, serial, fingerprint, spki_sha256,
      not_before, not_after, source, status, revoked_at, reason, created_at
    FROM certificate_state WHERE spki_sha256 = $1 AND enrollment_id = $2 ORDER BY id DESC LIMIT 1
    """
  let spki: [UInt8]
  let enrollment: Key<Enrollment>
  func bind(_ parameters: inout Parameters) {
    parameters.append(spki)
    parameters.append(enrollment)
  }
}

/// No row for one that is revoked.
struct UseCertificates: Statement {
  static let sql: StaticString = """
    UPDATE certificate SET used_at = coalesce(used_at, now())
    WHERE organization_id = $1 AND id = ANY($2) AND status = 1 RETURNING id
    """
  let organization: Key<Organization>
  let certificates: [Key<CertificateRecord>]
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(certificates.map(\.rawValue).sorted())
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Key<CertificateRecord> {
    try columns.key(0)
  }
}
