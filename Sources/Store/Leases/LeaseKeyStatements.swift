import Issuance
import Licensing
import Postgres

struct ReadLeaseKeys: Statement {
  static let sql: StaticString = """
    SELECT id, public_key, sealed_key, signs_from FROM lease_key WHERE withdrawn_at IS NULL
    ORDER BY signs_from DESC, id DESC
    """
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> LeaseKey {
    LeaseKey(
      key: try columns.key(0), publicKey: try columns.bytes(1), sealedKey: try columns.optionalBytes(2),
      signsFrom: try columns.instant(3))
  }
}

/// One at a time makes keys; whoever only reads is not held up.
struct LockLeaseKeys: Statement {
  static let sql: StaticString = "LOCK TABLE lease_key IN SHARE ROW EXCLUSIVE MODE"
}

struct InsertLeaseKey: Statement {
  static let sql: StaticString = """
    INSERT INTO lease_key (public_key, sealed_key, signs_from)
    VALUES ($1, $2, clock_timestamp() + $3 * interval '1 second') RETURNING id
    """
  let publicKey: [UInt8]
  let sealedKey: [UInt8]
  let signsAfter: Int64
  func bind(_ parameters: inout Parameters) {
    parameters.append(publicKey)
    parameters.append(sealedKey)
    parameters.append(signsAfter)
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Key<LeaseKey> { try columns.key(0) }
}

struct WithdrawLeaseKeys: Statement {
  static let sql: StaticString = """
    UPDATE lease_key SET withdrawn_at = clock_timestamp(), sealed_key = NULL WHERE withdrawn_at IS NULL
    """
}

struct ResealLeaseKey: Statement {
  static let sql: StaticString = "UPDATE lease_key SET sealed_key = $2 WHERE id = $1"
  let key: Key<LeaseKey>
  let sealed: [UInt8]
  func bind(_ parameters: inout Parameters) {
    parameters.append(key)
    parameters.append(sealed)
  }
}

/// The private half of a key that signs no more is nobody's business, an hour after its successor took over.
struct ForgetOldLeaseKeys: Statement {
  static let sql: StaticString = """
    UPDATE lease_key k SET sealed_key = NULL WHERE k.sealed_key IS NOT NULL AND EXISTS (SELECT FROM lease_key n
      WHERE n.withdrawn_at IS NULL AND n.signs_from > k.signs_from AND n.signs_from < now() - interval '1 hour')
    """
}
