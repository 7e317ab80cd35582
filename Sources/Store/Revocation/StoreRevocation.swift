public import Issuance
public import Licensing
public import Postgres

/// Revocation as PostgreSQL knows it.
public struct StoreRevocation: RevocationStore {
  private let client: PostgresClient

  public init(_ client: PostgresClient) { self.client = client }

  public func dueLists(
    of organization: Key<Organization>?, at now: Instant
  ) async throws(StorageError) -> [DueRevocationList] {
    try await read(ReadDueLists(organization: organization, now: now))
  }

  /// Everything is read in one snapshot, which is stored with the list: a revocation that it does not see makes the list
  /// due again. Two servers cannot both write from the same last list.
  public func renew(
    _ due: DueRevocationList, at now: Instant, keptFrom: Instant,
    _ sign: @Sendable (RevocationListDraft) async throws -> SignedRevocationList
  ) async throws -> Bool {
    do {
      return try await client.transaction(isolation: .repeatableRead) { transaction in
        guard try await transaction.run(LockList(authority: due.authority)).first == true,
          try await isDue(due, at: now, in: transaction),
          let signing = try await signingAuthority(due.id, in: transaction)
        else { return false }
        let last = try await transaction.run(ReadLastList(due: due)).first
        let number = try next(last?.number)
        let certificates = try await revoked(
          due, keptFrom: last.map { min($0.thisUpdate, keptFrom) } ?? Instant(seconds: 0), in: transaction)
        let list = try await sign(
          RevocationListDraft(signing: signing, number: number, certificates: certificates))
        _ = try await transaction.run(WriteOwnList(due: due, number: number.magnitudeBytes, list: list))
        return true
      }
    } catch PostgresError.server(.serializationFailure, _, _, _) {
      return false
    } catch let error as PostgresError {
      throw StorageError(error)
    }
  }

  private func isDue(
    _ due: DueRevocationList, at now: Instant, in transaction: Transaction
  ) async throws(PostgresError) -> Bool {
    let again = ReadDueLists(organization: due.organization, authority: due.authority, now: now)
    return try await !transaction.run(again).isEmpty
  }

  private func next(_ number: [UInt8]?) throws(StorageError) -> Int64 {
    let (last, isBeyond) = (number ?? []).reduce((0 as Int64, false)) { value, byte in
      (value.0 << 8 | Int64(byte), value.1 || value.0 >> 54 != 0)
    }
    guard !isBeyond else { throw .fault("a list's number is beyond what is ever reached") }
    return last + 1
  }

  private func revoked(
    _ due: DueRevocationList, keptFrom: Instant, in transaction: Transaction
  ) async throws(PostgresError) -> [IssuedStatus] {
    var found: [IssuedStatus] = []
    var after: Int64 = 0
    while true {
      let page = try await transaction.run(ReadRevoked(due: due, keptFrom: keptFrom, after: after))
      found += page.map(\.status)
      guard page.count == Int(ReadRevoked.limit), let last = page.last else { return found }
      after = last.id
    }
  }

  private func signingAuthority(
    _ id: Identifier, in transaction: Transaction
  ) async throws(PostgresError) -> SigningAuthority? {
    guard let owner = try await transaction.run(FindOwner(authority: id)).first,
      let authority = try await transaction.run(FindAuthority(organization: owner.key, id: id)).first
    else { return nil }
    return SigningAuthority(authority: authority, organization: owner.id)
  }

  public func signingAuthority(_ id: Identifier) async throws(StorageError) -> SigningAuthority? {
    guard let owner = try await read(FindOwner(authority: id)).first,
      let authority = try await read(FindAuthority(organization: owner.key, id: id)).first
    else { return nil }
    return SigningAuthority(authority: authority, organization: owner.id)
  }

  public func warnOfStaleLists(at now: Instant) async throws(StorageError) -> [Identifier] {
    try await stating { () throws(PostgresError) in try await client.commit(WarnOfStaleLists(now: now)) }
  }

  public func publishedList(
    of authority: Identifier, unless known: RevocationListVersion?
  ) async throws(StorageError) -> PublishedRevocationList? {
    try await read(FindPublishedList(authority: authority, known: known)).first
  }

  public func statuses(
    of serialNumbers: [String], under authority: Identifier
  ) async throws(StorageError) -> [IssuedStatus]? {
    let rows = try await read(FindStatuses(authority: authority, serialNumbers: serialNumbers))
    return rows.isEmpty ? nil : rows.compactMap(\.self)
  }

  private func read<S: Statement>(_ statement: S) async throws(StorageError) -> [S.Row] {
    try await stating { () throws(PostgresError) in try await client.read(statement) }
  }
}

extension Int64 {
  /// Big-endian, without zeros before it.
  fileprivate var magnitudeBytes: [UInt8] {
    Array(
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> Int64($0)) }.drop {
        $0 == 0
      })
  }
}
