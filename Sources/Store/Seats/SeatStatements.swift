import Licensing
import Postgres

/// One batch of requests for one (organization, product), decided in one call.
struct DecideSeats: Statement {
  static let sql: StaticString = """
    SELECT request, outcome, loss, license_id, license, kind, overdraft, generation, revision, granted_at, expires_at,
      stated_at, lease_seconds, grace_seconds, ends_at, features, seats, held, retry_at, lent_until, config,
      candidates, beside
    FROM seat_decide($1, $2, $3, $4, $5, $6)
    """
  let organization: Key<Organization>
  let product: Key<Product>
  let batch: [SeatRequest]

  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(product)
    parameters.append(batch.map(\.operation.code))
    parameters.append(batch.map(\.identity.rawValue))
    parameters.append(batch.map(\.operation.generation))
    parameters.append(json: JSONColumn.asks(of: batch))
  }

  static func row(_ columns: borrowing Columns) throws(PostgresError) -> SeatAnswer {
    try SeatAnswer(columns)
  }
}

/// One batch of what are renewals, as far as anybody knows: whoever is not renewed has no row.
struct RenewSeats: Statement {
  static let sql: StaticString = """
    SELECT request, outcome, loss, license_id, license, kind, overdraft, generation, revision, granted_at, expires_at,
      stated_at, lease_seconds, grace_seconds, ends_at, features, seats, held, retry_at, lent_until, config,
      candidates, beside
    FROM seat_renew($1, $2, $3, $4)
    """
  let organization: Key<Organization>
  let product: Key<Product>
  let batch: [SeatRequest]

  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(product)
    parameters.append(batch.map(\.identity.rawValue))
    parameters.append(batch.map(\.operation.generation))
  }

  static func row(_ columns: borrowing Columns) throws(PostgresError) -> SeatAnswer {
    try SeatAnswer(columns)
  }
}

/// What one request would be answered now.
struct PreviewSeat: Statement {
  static let sql: StaticString = """
    SELECT request, outcome, loss, license_id, license, kind, overdraft, generation, revision, granted_at, expires_at,
      stated_at, lease_seconds, grace_seconds, ends_at, features, seats, held, retry_at, lent_until, config,
      candidates, beside
    FROM seat_preview($1, $2, $3, $4, $5, $6)
    """
  let organization: Key<Organization>
  let product: Key<Product>
  let request: SeatRequest

  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(product)
    parameters.append(request.operation.code)
    parameters.append(request.identity)
    parameters.append(request.operation.generation)
    parameters.append(json: JSONColumn.asks(of: [request]))
  }

  static func row(_ columns: borrowing Columns) throws(PostgresError) -> SeatAnswer {
    try SeatAnswer(columns)
  }
}

extension SeatRequest {
  /// Whether it will renew a seat, as far as anybody knows.
  var isHeartbeat: Bool {
    switch operation {
    case .claim: isBelievedHeld && wish == .none
    // To `seat_renew` 0 is any generation; nobody holds one of it.
    case .renew(let generation): isBelievedHeld && wish == .none && generation != 0
    case .release, .borrow: false
    }
  }
}

extension SeatRequest.Operation {
  fileprivate var code: Int16 {
    switch self {
    case .claim: 1
    case .renew: 2
    case .release: 3
    case .borrow: 4
    }
  }

  fileprivate var generation: Int64 { if case .renew(let generation) = self { generation } else { 0 } }
}

struct AssignSeat: Statement {
  static let sql: StaticString = """
    SELECT request, outcome, loss, license_id, license, kind, overdraft, generation, revision, granted_at, expires_at,
      stated_at, lease_seconds, grace_seconds, ends_at, features, seats, held, retry_at, lent_until, config,
      candidates, beside
    FROM seat_assign($1, $2, $3, $4, $5,
      coalesce($6, (SELECT id FROM enrollment WHERE organization_id = $1 AND public_id = $7)))
    """
  let license: License
  let identity: Key<Identity>
  let actor: Actor

  func bind(_ parameters: inout Parameters) {
    parameters.append(license.organization)
    parameters.append(license.product)
    parameters.append(license.record.key)
    parameters.append(identity)
    parameters.append(actor)
  }

  static func row(_ columns: borrowing Columns) throws(PostgresError) -> SeatAnswer {
    try SeatAnswer(columns)
  }
}

/// Takes the seats of one license or all, from one identity or all.
struct FreeSeats: Statement {
  static let sql: StaticString = """
    SELECT freed, borrowed_until FROM seat_free($1, $2, $3, $4, $5, $6, $7,
      coalesce($8, (SELECT id FROM enrollment WHERE organization_id = $1 AND public_id = $9)))
    """
  let organization: Key<Organization>
  let product: Key<Product>
  let license: Key<License>?
  let identity: Key<Identity>?
  let blockSeconds: Int64
  let isForced: Bool
  let actor: Actor

  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(product)
    parameters.append(license)
    parameters.append(identity)
    parameters.append(blockSeconds)
    parameters.append(isForced)
    parameters.append(actor)
  }

  /// How many live seats were taken, and until when those are lent that were not, or are at risk.
  static func row(
    _ columns: borrowing Columns
  ) throws(PostgresError) -> (freed: Int64, borrowedUntil: Instant?) {
    (try columns.int64(0), try columns.optionalInstant(1))
  }
}

/// Takes every seat of an identity, product by product in the order in which claims lock them.
struct FreeSeatsOfIdentity: Statement {
  static let sql: StaticString = """
    SELECT (seat_free($1, x.product_id, NULL, $2, 0, true, 0::smallint, NULL)).freed
    FROM (SELECT DISTINCT product_id FROM license_counter WHERE organization_id = $1 ORDER BY product_id) x
    """
  let organization: Key<Organization>
  let identity: Key<Identity>

  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(identity)
  }

  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Int64 { try columns.int64(0) }
}
