import JSON
import Licensing
import Postgres

extension StoreUnitOfWork {
  func usage(
    of license: License, from: Instant, to: Instant, _ page: PageRequest
  ) async throws(StorageError) -> Page<UsageMinute> {
    try await self.page(FindUsage(license: license, from: from, to: to, page: page), page) {
      $0.minute.microseconds
    }
  }

  func highWaterMark(of license: License) async throws(StorageError) -> HighWaterMark? {
    try await first(FindHighWaterMark(license: license))
  }
}

/// What happened minute by minute, as `license_usage` puts it together.
struct FindUsage: Statement {
  static let sql: StaticString = """
    SELECT minute, peak, final, grants, denials FROM license_usage($1, $2, $3, $4, $5)
    WHERE minute > timestamptz 'epoch' + $6 * interval '1 microsecond' ORDER BY minute LIMIT $7
    """
  let license: License
  let from: Instant
  let to: Instant
  let page: PageRequest
  func bind(_ parameters: inout Parameters) {
    parameters.append(license.organization)
    parameters.append(license.product)
    parameters.append(license.record.key)
    parameters.append(from)
    parameters.append(to)
    parameters.append(page)
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> UsageMinute {
    var denials: [String: Int64] = [:]
    for (reason, value) in try columns.features(4) {
      if case .integer(let count) = value { denials[reason] = count }
    }
    return UsageMinute(
      minute: try columns.instant(0), peak: try columns.int64(1), held: try columns.int64(2),
      grants: try columns.int64(3), denials: denials)
  }
}

struct FindHighWaterMark: Statement {
  static let sql: StaticString = """
    SELECT peak, minute FROM license_usage($1, $2, $3, 'epoch', 'infinity')
    WHERE peak > 0 ORDER BY peak DESC, minute LIMIT 1
    """
  let license: License
  func bind(_ parameters: inout Parameters) {
    parameters.append(license.organization)
    parameters.append(license.product)
    parameters.append(license.record.key)
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> HighWaterMark {
    HighWaterMark(seats: try columns.int64(0), minute: try columns.instant(1))
  }
}
