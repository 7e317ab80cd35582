import Issuance
import Licensing
import Postgres

/// Who has these external names, and the rows of these certificates: one row for each, in their order.
struct FindSeenCertificates: Statement {
  static let sql: StaticString = """
    SELECT i.id, i.public_id, i.external_id, i.metadata, i.created_at, i.updated_at, i.revision, i.organization_id,
      i.name, i.role, i.status, i.attributes, i.external_group, i.external_field, i.external_value, c.id, c.status
    FROM unnest($3::text[], $4::text[], $5::bytea[], $6::bytea[])
      WITH ORDINALITY AS x (names, field, value, fingerprint, place)
    LEFT JOIN identity i ON i.organization_id = $1 AND i.external_group = x.names AND i.external_field = x.field
      AND i.external_value = x.value
    LEFT JOIN certificate c ON c.organization_id = $1 AND c.fingerprint = x.fingerprint AND c.authority_id = $2
    ORDER BY x.place
    """
  let seen: [SeenCertificate]
  let authority: Authority
  func bind(_ parameters: inout Parameters) {
    parameters.append(authority.organization)
    parameters.append(authority.record.key)
    parameters.append(seen.map(\.name.group))
    parameters.append(seen.map(\.name.field))
    parameters.append(seen.map(\.name.value))
    parameters.append(seen.map(\.facts.fingerprint))
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> KnownCertificate {
    let identity = try columns.optionalInt64(0) == nil ? nil : columns.identity()
    guard let key: Key<CertificateRecord> = try columns.optionalKey(15) else {
      return KnownCertificate(identity: identity, row: nil)
    }
    return KnownCertificate(identity: identity, row: (key, try columns.code(16)))
  }
}

struct FindTakenNames: Statement {
  static let sql: StaticString =
    "SELECT name FROM identity WHERE organization_id = $1 AND name = ANY($2) AND status < 3"
  let organization: Key<Organization>
  let names: [IdentityName]
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(names.map(\.description))
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> IdentityName {
    try columns.parsed(0, IdentityName.init)
  }
}

/// No row for one whose name is taken by now. In order of their names, so that two servers do not wait for each other.
struct ProvisionIdentities: IdentityStatement {
  static let sql: StaticString = """
    WITH made AS (
      INSERT INTO identity (organization_id, public_id, name, external_group, external_field, external_value)
      SELECT $1, x.id, x.name, x.names, x.field, x.value
      FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::bytea[]) AS x (id, name, names, field, value)
      ORDER BY x.name COLLATE "C"
      ON CONFLICT DO NOTHING RETURNING *),
    told AS (
      INSERT INTO event (organization_id, type, identity_id) SELECT $1, 'identity.provisioned', m.id FROM made m)
    SELECT id, public_id, external_id, metadata, created_at, updated_at, revision, organization_id, name, role,
      status, attributes, external_group, external_field, external_value
    FROM made
    """
  let organization: Key<Organization>
  let new: [NewIdentity]
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(uuids: new.map { ($0.record.id.high, $0.record.id.low) })
    parameters.append(new.map(\.name.description))
    parameters.append(new.map(\.external?.group))
    parameters.append(new.map(\.external?.field))
    parameters.append(new.map(\.external?.value))
  }
}

struct InsertSeenCertificates: Statement {
  static let sql: StaticString = """
    INSERT INTO certificate (organization_id, authority_id, identity_id, der, serial, fingerprint, spki_sha256,
      not_before, not_after, source)
    SELECT $1, $2, x.identity, x.der, x.serial, x.fingerprint, x.spki, x.not_before, x.not_after, 2
    FROM unnest($3::bigint[], $4::bytea[], $5::text[], $6::bytea[], $7::bytea[], $8::timestamptz[], $9::timestamptz[])
      AS x (identity, der, serial, fingerprint, spki, not_before, not_after)
    ORDER BY x.fingerprint
    RETURNING fingerprint, id
    """
  let seen: [(facts: CertificateFacts, identity: Key<Identity>)]
  let authority: Authority
  func bind(_ parameters: inout Parameters) {
    parameters.append(authority.organization)
    parameters.append(authority.record.key)
    parameters.append(seen.map(\.identity.rawValue))
    parameters.append(seen.map(\.facts.der))
    parameters.append(seen.map(\.facts.serialNumber))
    parameters.append(seen.map(\.facts.fingerprint))
    parameters.append(seen.map(\.facts.spki))
    parameters.append(timestamps: seen.map(\.facts.notBefore.microseconds))
    parameters.append(timestamps: seen.map(\.facts.notAfter.microseconds))
  }
  static func row(
    _ columns: borrowing Columns
  ) throws(PostgresError) -> (fingerprint: [UInt8], key: Key<CertificateRecord>) {
    (try columns.bytes(0), try columns.key(1))
  }
}
