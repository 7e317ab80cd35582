import Issuance
import Licensing
import Postgres

/// The domain's values as parameters.
extension Parameters {
  mutating func append<Entity>(_ key: Key<Entity>?) { append(key?.rawValue) }

  /// Two parameters: the organizations, and the rows of each.
  mutating func append<Entity>(_ keys: [TenantKey<Entity>]) {
    append(keys.map(\.organization.rawValue))
    append(keys.map(\.key.rawValue))
  }

  mutating func append(_ id: Identifier?) { append(uuid: id.map { ($0.high, $0.low) }) }

  mutating func append(_ instant: Instant?) { append(timestamp: instant?.microseconds) }

  mutating func append(_ map: [String: String]) { append(json: JSONColumn.bytes(of: map)) }

  mutating func append(_ features: Features) { append(json: JSONColumn.bytes(of: features)) }

  /// `public_id`, `external_id`, `metadata`.
  mutating func append(_ record: NewRecord) {
    append(record.id)
    append(record.externalID)
    append(record.metadata)
  }

  /// Three parameters: kind, key, and for an enrollment its public id.
  mutating func append(_ actor: Actor) {
    let (kind, key, id): (Int16, Int64?, Identifier?) =
      switch actor {
      case .system: (0, nil, nil)
      case .token(let token): (1, token.rawValue, nil)
      case .identity(let identity): (2, identity.rawValue, nil)
      case .enrollment(let id): (3, nil, id)
      case .machine: (4, nil, nil)
      }
    append(kind)
    append(key)
    append(id)
  }

  /// The key after which the page begins, and one row more than it holds, which says whether there is a next one.
  mutating func append(_ page: PageRequest) {
    append(page.after)
    append(Int64(page.limit) + 1)
  }
}
