import Foundation

extension Tenant {
  /// The generation of each device's seat as the database has it, by the device's number in its crowd.
  func seats() throws -> [Int: Int64] {
    let rows = try installation.sql(
      """
      SELECT substring(convert_from(i.external_value, 'UTF8') from '[0-9]+$'), s.generation
        FROM seat s JOIN identity i ON (i.organization_id, i.id) = (s.organization_id, s.identity_id)
        JOIN license l ON l.id = s.license_id WHERE l.public_id = '\(license)'
      """)
    var seats: [Int: Int64] = [:]
    for row in rows.split(separator: "\n") {
      let columns = row.split(separator: "|")
      guard columns.count == 2, let device = Int(columns[0]), let generation = Int64(columns[1]),
        seats.updateValue(generation, forKey: device) == nil
      else { throw Shell.Failure("not a seat: \(row)") }
    }
    return seats
  }

  /// Everything about the tenant's license that does not add up in the database, which no crash may leave behind.
  func faults() throws -> [String] { try Self.rules.compactMap(fault) }

  /// What holds of a license while nobody releases a seat: the name of a rule, and a query for what breaks it.
  private static let rules: KeyValuePairs = [
    "over its seats": "SELECT license_id FROM license_counter WHERE in_use > seats + overdraft",
    "in use is not the number of seats": """
    SELECT c.license_id, c.in_use, count(s.*) FROM license_counter c LEFT JOIN seat s USING (license_id)
     GROUP BY c.license_id, c.in_use HAVING c.in_use <> count(s.*)
    """,
    "a generation beyond the counter's, or twice": """
    SELECT license_id, s.generation FROM seat s JOIN license_counter c USING (license_id)
     GROUP BY license_id, s.generation, c.generation HAVING s.generation > c.generation OR count(*) > 1
    """,
    "a seat without exactly one event of its granting": """
    SELECT s.identity_id, s.generation, count(e.*) FROM seat s LEFT JOIN event e
        ON (e.license_id, e.identity_id, e.generation, e.type) =
           (s.license_id, s.identity_id, s.generation, 'seat.granted')
     GROUP BY s.license_id, s.identity_id, s.generation HAVING count(e.*) <> 1
    """,
    "an event of granting without its seat": """
    SELECT e.identity_id, e.generation FROM event e LEFT JOIN seat s USING (license_id, identity_id, generation)
     WHERE e.type = 'seat.granted' AND s.generation IS NULL
    """,
    "usage is not the number of grants": """
    SELECT license_id, m.grants, e.grants
      FROM (SELECT license_id, sum(grants) AS grants FROM usage_minute GROUP BY 1) m
      FULL JOIN (SELECT license_id, count(*) AS grants FROM event WHERE type = 'seat.granted' GROUP BY 1) e
        USING (license_id)
     WHERE m.grants IS DISTINCT FROM e.grants
    """,
  ]

  private func fault(_ rule: (key: String, value: String)) throws -> String? {
    // The rules see this license alone: others in the same database may have released seats.
    let own = ["license_counter", "seat", "event", "usage_minute"].map {
      """
      \($0) AS (SELECT * FROM public.\($0)
        WHERE license_id = (SELECT id FROM public.license WHERE public_id = '\(license)'))
      """
    }
    let found = try installation.sql("WITH \(own.joined(separator: ", ")) \(rule.value)")
    return found.isEmpty ? nil : "\(rule.key): \(found)"
  }
}
