import Issuance
import Licensing
import Postgres

/// The next authority whose key another key than this one sealed; it stays as it is until the transaction ends.
struct FindSealedElsewhere: Statement {
  static let sql: StaticString = """
    SELECT a.organization_id, o.public_id, a.id, a.public_id, a.sealed_key, a.certificate, a.request
    FROM authority a JOIN organization o ON o.id = a.organization_id
    WHERE a.sealing_key <> $1 AND a.id > $2 ORDER BY a.id LIMIT 1 FOR NO KEY UPDATE OF a
    """
  let key: String
  let after: Key<Authority>
  func bind(_ parameters: inout Parameters) {
    parameters.append(key)
    parameters.append(after)
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> SealedAuthorityKey {
    SealedAuthorityKey(
      organization: try columns.key(0), organizationID: try columns.identifier(1),
      authority: try columns.key(2), authorityID: try columns.identifier(3), sealed: try columns.bytes(4),
      certificate: try columns.optionalBytes(5), request: try columns.optionalBytes(6))
  }
}

struct ResealAuthorityKey: Statement {
  static let sql: StaticString =
    "UPDATE authority SET sealed_key = $3 WHERE organization_id = $1 AND id = $2"
  let organization: Key<Organization>
  let authority: Key<Authority>
  let sealed: [UInt8]
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(authority)
    parameters.append(sealed)
  }
}
