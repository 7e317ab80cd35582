import Issuance
import Licensing
import Postgres

/// Until the transaction ends, every event names this certificate: the column's default reads the setting.
struct NameCertificate: Statement {
  static let sql: StaticString = "SELECT FROM set_config('usher.certificate', $1::text, true)"
  let certificate: Key<CertificateRecord>
  func bind(_ parameters: inout Parameters) { parameters.append(certificate.rawValue.description) }
}

/// One row more than asked for, which says whether there are more.
///
/// The primary key begins with the organization: of each, so many rows are taken in order, and of those the first ones.
/// They are a stretch of that key from end to end: of an equation the planner knows how many rows an average organization has,
/// and would fetch and sort all that the largest has for each page of it.
/// Only then is looked up what they name, of each by its key (decision 13).
struct ListEvents: Statement {
  static let sql: StaticString = """
    SELECT e.at, e.id, e.slug, e.type, e.actor_kind, e.actor, e.serial, e.fingerprint, e.license, e.identity,
      e.generation, e.detail, e.position, e.digest
    FROM (
      SELECT e.organization_id, e.at, e.id
      FROM (SELECT id FROM organization WHERE $1 IS NULL UNION ALL SELECT coalesce($1, 0)) w
      CROSS JOIN LATERAL (
        SELECT * FROM event e
        WHERE (e.organization_id, e.at, e.id) > (w.id, $2, $3) AND (e.organization_id, e.at) < (w.id, $4)
          AND e.at >= $2 AND e.at < $4
          AND ($5 IS NULL OR e.type = $5)
          AND ($6 IS NULL OR e.license_id = ANY (ARRAY(
            SELECT id FROM license WHERE public_id = $6 AND organization_id = w.id)))
          AND ($7 IS NULL OR e.identity_id = ANY (ARRAY(
            SELECT id FROM identity WHERE public_id = $7 AND organization_id = w.id)))
          AND ($8 IS NULL OR e.identity_id = ANY (ARRAY(
            SELECT id FROM identity WHERE name = $8 AND organization_id = w.id AND status < 3)))
        ORDER BY e.organization_id, e.at, e.id LIMIT $9) e
      ORDER BY e.at, e.id LIMIT $9) k
    CROSS JOIN LATERAL (SELECT * FROM event_told e
      WHERE e.organization_id = k.organization_id AND e.at = k.at AND e.id = k.id OFFSET 0) e
    ORDER BY e.at, e.id
    """
  let request: EventRequest
  func bind(_ parameters: inout Parameters) {
    let start = request.after ?? EventPlace(at: request.from ?? Instant(seconds: 0), number: 0)
    parameters.append(request.organization)
    parameters.append(start.at)
    parameters.append(start.number)
    parameters.append(request.to ?? Instant(microseconds: .max))
    parameters.append(request.type)
    parameters.append(request.license)
    var (id, name): (Identifier?, String?) = (nil, nil)
    switch request.identity {
    case .id(let wanted): id = wanted
    case .name(let wanted): name = wanted.description
    case nil: break
    }
    parameters.append(id)
    parameters.append(name)
    parameters.append(Int64(request.limit) + 1)
  }

  static func row(_ columns: borrowing Columns) throws(PostgresError) -> RecordedEvent {
    try columns.event()
  }
}

extension Columns {
  /// `at`, `id`, `slug`, `type`, `actor_kind`, `actor`, `serial`, `fingerprint`, `license`, `identity`, `generation`,
  /// `detail`, `position` and `digest` of an `event_told`, from the first column on.
  func event() throws(PostgresError) -> RecordedEvent {
    let actor = try optionalIdentifier(5)
    var proof: RecordedEvent.Proof?
    if let serial = try optionalString(6) {
      proof = RecordedEvent.Proof(serialNumber: serial, fingerprint: try bytes(7))
    }
    let author: RecordedEvent.Author
    switch try int16(4) {
    case 0: author = .system
    case 1: author = .token(actor)
    case 2: author = .identity(actor, proof)
    case 3: author = .enrollment(actor)
    case 4: author = .machine
    case let kind: throw .decoding("an event's actor is of no known kind: \(kind)")
    }
    return RecordedEvent(
      place: EventPlace(at: try instant(0), number: try int64(1)),
      organization: try optionalString(2).flatMap(Slug.init), type: try string(3),
      author: author, license: try optionalIdentifier(8), identity: try optionalIdentifier(9),
      generation: try optionalInt64(10), detail: try bytes(11), seal: try seal(12))
  }

  /// A position and a digest; nil where there are none.
  func seal(_ column: Int) throws(PostgresError) -> EventSeal? {
    guard let position = try optionalInt64(column) else { return nil }
    return EventSeal(position: position, digest: try bytes(column + 1))
  }
}
