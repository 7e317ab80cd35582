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
/// Only then is looked up what they name.
struct ListEvents: Statement {
  static let sql: StaticString = """
    SELECT e.at, e.id, o.slug, e.type, e.actor_kind, coalesce(t.public_id, a.public_id, n.public_id), c.serial,
      c.fingerprint, l.public_id, i.public_id, e.generation, coalesce(e.detail, '{}')
    FROM (
      SELECT e.* FROM (SELECT id FROM organization WHERE $1 IS NULL UNION ALL SELECT coalesce($1, 0)) w
      CROSS JOIN LATERAL (
        SELECT * FROM event e
        WHERE e.organization_id = w.id AND (e.at, e.id) > ($2, $3) AND e.at < $4
          AND ($5 IS NULL OR e.type = $5)
          AND ($6 IS NULL OR e.license_id = ANY (ARRAY(
            SELECT id FROM license WHERE public_id = $6 AND organization_id = w.id)))
          AND ($7 IS NULL OR e.identity_id = ANY (ARRAY(
            SELECT id FROM identity WHERE public_id = $7 AND organization_id = w.id)))
          AND ($8 IS NULL OR e.identity_id = ANY (ARRAY(
            SELECT id FROM identity WHERE name = $8 AND organization_id = w.id AND status < 3)))
        ORDER BY e.at, e.id LIMIT $9) e
      ORDER BY e.at, e.id LIMIT $9) e
    LEFT JOIN organization o ON o.id = e.organization_id
    LEFT JOIN license l ON l.organization_id = e.organization_id AND l.id = e.license_id
    LEFT JOIN identity i ON i.organization_id = e.organization_id AND i.id = e.identity_id
    LEFT JOIN api_token t ON e.actor_kind = 1 AND t.id = e.actor_id
    LEFT JOIN identity a ON e.actor_kind = 2 AND a.organization_id = e.organization_id AND a.id = e.actor_id
    LEFT JOIN enrollment n ON e.actor_kind = 3 AND n.organization_id = e.organization_id AND n.id = e.actor_id
    LEFT JOIN certificate c ON c.organization_id = e.organization_id AND c.id = e.actor_certificate_id
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
    let actor = try columns.optionalIdentifier(5)
    var proof: RecordedEvent.Proof?
    if let serial = try columns.optionalString(6) {
      proof = RecordedEvent.Proof(serialNumber: serial, fingerprint: try columns.bytes(7))
    }
    let author: RecordedEvent.Author
    switch try columns.int16(4) {
    case 0: author = .system
    case 1: author = .token(actor)
    case 2: author = .identity(actor, proof)
    case 3: author = .enrollment(actor)
    case 4: author = .machine
    case let kind: throw .decoding("an event's actor is of no known kind: \(kind)")
    }
    return RecordedEvent(
      place: EventPlace(at: try columns.instant(0), number: try columns.int64(1)),
      organization: try columns.optionalString(2).flatMap(Slug.init), type: try columns.string(3),
      author: author, license: try columns.optionalIdentifier(8), identity: try columns.optionalIdentifier(9),
      generation: try columns.optionalInt64(10), detail: try columns.bytes(11))
  }
}
