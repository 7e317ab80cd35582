import Issuance
import Licensing
import Postgres

/// A statement whose rows are authorities, in thirty columns.
protocol AuthorityStatement: Statement where Row == Authority {}

extension AuthorityStatement {
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Authority {
    Authority(
      record: try columns.record(), organization: try columns.key(7), kind: try columns.code(8),
      status: try columns.code(9), name: try columns.optionalString(10),
      keyType: try columns.optionalString(11),
      certificate: try columns.optionalBytes(12), intermediates: try columns.bytesArray(13),
      sealedKey: try columns.optionalBytes(14), group: try columns.string(15),
      mapping: try columns.mapping(16),
      match: try columns.match(18), autoProvision: try columns.bool(22),
      challenge: try columns.optionalString(23),
      challengeExpiresAt: try columns.optionalInstant(24), proofFingerprint: try columns.optionalBytes(25),
      warnings: try columns.stringArray(26), request: try columns.optionalBytes(27),
      keyURI: try columns.optionalString(28), allowsMissingClientAuth: try columns.bool(29))
  }
}

extension Columns {
  /// Two columns: fields, and their prefixes (empty: any value counts).
  fileprivate func mapping(_ column: Int) throws(PostgresError) -> [MappingRule] {
    var rules: [MappingRule] = []
    for (field, prefix) in zip(try stringArray(column), try stringArray(column + 1)) {
      guard let field = MappingRule.Field(rawValue: field) else {
        throw .decoding("no such field of a mapping: \(field)")
      }
      rules.append(MappingRule(field: field, prefix: prefix.isEmpty ? nil : prefix))
    }
    return rules
  }

  /// Four columns; nil when all are NULL.
  fileprivate func match(_ column: Int) throws(PostgresError) -> MatchRule? {
    let usages: [String]? = try optionalArray(column)
    let policies: [String]? = try optionalArray(column + 1)
    let unit = try optionalString(column + 2)
    let prefix = try optionalString(column + 3)
    guard usages != nil || policies != nil || unit != nil || prefix != nil else { return nil }
    return MatchRule(
      extendedKeyUsages: usages ?? [], policies: policies ?? [], organizationalUnit: unit, uriPrefix: prefix)
  }
}

extension Parameters {
  /// Seven parameters: fields and prefixes of the mapping, the four conditions of the match, auto-provisioning.
  fileprivate mutating func append(_ mapping: [MappingRule], _ match: MatchRule?, _ autoProvision: Bool) {
    append(mapping.map(\.field.rawValue))
    append(mapping.map { $0.prefix ?? "" })
    append(match?.extendedKeyUsages)
    append(match?.policies)
    append(match?.organizationalUnit)
    append(match?.uriPrefix)
    append(autoProvision)
  }
}

struct FindAuthority: AuthorityStatement {
  static let sql: StaticString = """
    SELECT id, public_id, external_id, metadata, created_at, updated_at, revision, organization_id, kind, status, name,
      key_type, certificate, intermediates, sealed_key, group_key, mapping_fields, mapping_prefixes, match_usages,
      match_policies, match_unit, match_uri_prefix, auto_provision, challenge, challenge_until, proof_fingerprint,
      warnings, request, key_uri, allow_missing_client_auth
    FROM authority WHERE organization_id = $1 AND public_id = $2 AND status < 5
    """
  let organization: Key<Organization>
  let id: Identifier
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(id)
  }
}

struct LockAuthority: Statement {
  static let sql: StaticString = """
    SELECT FROM authority WHERE organization_id = $1 AND public_id = $2 AND status < 5 FOR NO KEY UPDATE
    """
  let organization: Key<Organization>
  let id: Identifier
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(id)
  }
}

struct ListAuthorities: AuthorityStatement {
  static let sql: StaticString = """
    SELECT id, public_id, external_id, metadata, created_at, updated_at, revision, organization_id, kind, status, name,
      key_type, certificate, intermediates, sealed_key, group_key, mapping_fields, mapping_prefixes, match_usages,
      match_policies, match_unit, match_uri_prefix, auto_provision, challenge, challenge_until, proof_fingerprint,
      warnings, request, key_uri, allow_missing_client_auth
    FROM authority WHERE organization_id = $1 AND id > $2 AND status < 5 ORDER BY id LIMIT $3
    """
  let organization: Key<Organization>
  let page: PageRequest
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(page)
  }
}

/// The active authorities whose keys the service holds, newest first. Locked, so that what is issued now is stored
/// before one of them is retired or deleted; signing together is no conflict.
struct FindIssuers: AuthorityStatement {
  static let sql: StaticString = """
    SELECT id, public_id, external_id, metadata, created_at, updated_at, revision, organization_id, kind, status, name,
      key_type, certificate, intermediates, sealed_key, group_key, mapping_fields, mapping_prefixes, match_usages,
      match_policies, match_unit, match_uri_prefix, auto_provision, challenge, challenge_until, proof_fingerprint,
      warnings, request, key_uri, allow_missing_client_auth
    FROM authority WHERE organization_id = $1 AND status = 2 AND num_nonnulls(sealed_key, key_uri) > 0
    ORDER BY id DESC FOR SHARE
    """
  let organization: Key<Organization>
  func bind(_ parameters: inout Parameters) { parameters.append(organization) }
}

/// All authorities of one organization, or of every one that is not deleted: what handshakes are judged by. Deleted ones
/// too, unless their key has been proven again since, here or elsewhere.
struct ReadTrust: AuthorityStatement {
  static let sql: StaticString = """
    SELECT a.id, a.public_id, a.external_id, a.metadata, a.created_at, a.updated_at, a.revision, a.organization_id,
      a.kind, a.status, a.name, a.key_type, a.certificate, a.intermediates, a.sealed_key, a.group_key,
      a.mapping_fields, a.mapping_prefixes, a.match_usages, a.match_policies, a.match_unit, a.match_uri_prefix,
      a.auto_provision, a.challenge, a.challenge_until, a.proof_fingerprint, a.warnings,
      a.request, a.key_uri, a.allow_missing_client_auth
    FROM authority a JOIN organization o ON o.id = a.organization_id
    WHERE (o.id = $1 OR $1 IS NULL)
      AND (a.status < 5 OR a.proven_at IS NOT NULL AND NOT EXISTS (SELECT FROM authority b
        WHERE b.spki_sha256 = a.spki_sha256 AND b.proven_at IS NOT NULL AND b.status < 5))
    ORDER BY a.organization_id, a.id
    """
  let organization: Key<Organization>?
  func bind(_ parameters: inout Parameters) { parameters.append(organization) }
}

struct InsertAuthority: AuthorityStatement {
  static let sql: StaticString = """
    INSERT INTO authority (public_id, external_id, metadata, organization_id, kind, status, name, key_type, certificate,
      spki_sha256, subject, subject_key_id, intermediates, sealed_key, group_key, mapping_fields, mapping_prefixes,
      match_usages, match_policies, match_unit, match_uri_prefix, auto_provision, challenge, challenge_until, warnings,
      proven_at, request, key_uri, allow_missing_client_auth)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, coalesce($15, $1::text), $16, $17, $18, $19,
      $20, $21, $22, $23, now() + $24 * interval '1 second', $25, CASE WHEN $6 <> 1 THEN now() END, $26, $27, $28)
    RETURNING id, public_id, external_id, metadata, created_at, updated_at, revision, organization_id, kind, status,
      name, key_type, certificate, intermediates, sealed_key, group_key, mapping_fields, mapping_prefixes,
      match_usages, match_policies, match_unit, match_uri_prefix, auto_provision, challenge, challenge_until,
      proof_fingerprint, warnings, request, key_uri, allow_missing_client_auth
    """
  let new: NewAuthority
  func bind(_ parameters: inout Parameters) {
    parameters.append(new.record)
    parameters.append(new.organization)
    parameters.append(new.kind.rawValue)
    parameters.append(new.status.rawValue)
    parameters.append(new.name)
    parameters.append(new.keyType)
    parameters.append(new.certificate?.der)
    parameters.append(new.certificate?.spki)
    parameters.append(new.certificate?.subject)
    parameters.append(new.certificate?.subjectKeyIdentifier)
    parameters.append(new.intermediates)
    parameters.append(new.sealedKey)
    parameters.append(new.group)
    parameters.append(new.mapping, new.match, new.autoProvision)
    parameters.append(new.challenge)
    parameters.append(new.challengeTTLSeconds)
    parameters.append(new.warnings)
    parameters.append(new.request)
    parameters.append(new.keyURI)
    parameters.append(new.allowsMissingClientAuth)
  }
}

/// The anchor itself does not change here; a deleted authority has no further use for its key.
struct UpdateAuthority: AuthorityStatement {
  static let sql: StaticString = """
    UPDATE authority SET external_id = $3, metadata = $4, status = $5, name = $6, intermediates = $7, group_key = $8,
      mapping_fields = $9, mapping_prefixes = $10, match_usages = $11, match_policies = $12, match_unit = $13,
      match_uri_prefix = $14, auto_provision = $15, challenge = $16, challenge_until = $17, proof_fingerprint = $18,
      warnings = $19, proven_at = CASE WHEN $5 IN (2, 3, 4) THEN coalesce(proven_at, now()) ELSE proven_at END,
      sealed_key = CASE WHEN $5 < 5 THEN sealed_key END, allow_missing_client_auth = $20
    WHERE organization_id = $1 AND id = $2
    RETURNING id, public_id, external_id, metadata, created_at, updated_at, revision, organization_id, kind, status,
      name, key_type, certificate, intermediates, sealed_key, group_key, mapping_fields, mapping_prefixes,
      match_usages, match_policies, match_unit, match_uri_prefix, auto_provision, challenge, challenge_until,
      proof_fingerprint, warnings, request, key_uri, allow_missing_client_auth
    """
  let authority: Authority
  func bind(_ parameters: inout Parameters) {
    parameters.append(authority.organization)
    parameters.append(authority.record.key)
    parameters.append(authority.record.externalID)
    parameters.append(authority.record.metadata)
    parameters.append(authority.status.rawValue)
    parameters.append(authority.name)
    parameters.append(authority.intermediates)
    parameters.append(authority.group)
    parameters.append(authority.mapping, authority.match, authority.autoProvision)
    parameters.append(authority.challenge)
    parameters.append(authority.challengeExpiresAt)
    parameters.append(authority.proofFingerprint)
    parameters.append(authority.warnings)
    parameters.append(authority.allowsMissingClientAuth)
  }
}

/// A certificate over the same key, the first or another one. Nothing when the authority is revoked.
struct CertifyAuthority: AuthorityStatement {
  static let sql: StaticString = """
    UPDATE authority SET status = greatest(status, 2), proven_at = coalesce(proven_at, now()), certificate = $3, spki_sha256 = $4, subject = $5,
      subject_key_id = $6, intermediates = $7, warnings = $8
    WHERE organization_id = $1 AND id = $2 AND kind = 3 AND status IN (1, 2, 3)
    RETURNING id, public_id, external_id, metadata, created_at, updated_at, revision, organization_id, kind, status,
      name, key_type, certificate, intermediates, sealed_key, group_key, mapping_fields, mapping_prefixes,
      match_usages, match_policies, match_unit, match_uri_prefix, auto_provision, challenge, challenge_until,
      proof_fingerprint, warnings, request, key_uri, allow_missing_client_auth
    """
  let authority: Key<Authority>
  let organization: Key<Organization>
  let anchor: AnchorFacts
  let intermediates: [[UInt8]]
  let warnings: [String]
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(authority)
    parameters.append(anchor.der)
    parameters.append(anchor.spki)
    parameters.append(anchor.subject)
    parameters.append(anchor.subjectKeyIdentifier)
    parameters.append(intermediates)
    parameters.append(warnings)
  }
}

struct CountLiveCertificates: Statement {
  static let sql: StaticString = """
    SELECT count(*) FROM authority a
    JOIN certificate c ON c.organization_id = a.organization_id AND c.authority_id = a.id
    WHERE a.id = $1 AND c.status = 1 AND c.not_after > now()
    """
  let authority: Key<Authority>
  func bind(_ parameters: inout Parameters) { parameters.append(authority) }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Int64 { try columns.int64(0) }
}

struct FindPublicCertificate: Statement {
  static let sql: StaticString = """
    SELECT a.certificate FROM authority a JOIN organization o ON o.id = a.organization_id
    WHERE a.public_id = $1 AND a.status IN (2, 3, 4) AND o.status < 3
    """
  let id: Identifier
  func bind(_ parameters: inout Parameters) { parameters.append(id) }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> [UInt8] { try columns.bytes(0) }
}
