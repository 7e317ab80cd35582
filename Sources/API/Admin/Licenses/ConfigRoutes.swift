import HTTP
import JSON
import Licensing

/// What apps are told through their seats: the organization's part, the license's and the identity's, each one document.
///
/// They are the vendor's words to its own program, so only operators write them.
enum ConfigRoutes {
  static let all =
    routes("/v1/organizations/{org}/config", .organizationItself) { (.organization($0.record.key), $0) }
    + routes("/v1/organizations/{org}/licenses/{license}/config", .license) {
      (.license($0.resource), $0.organization)
    }
    + routes("/v1/organizations/{org}/identities/{identity}/config", .identity) {
      (.identity($0.resource), $0.organization)
    }

  /// Bytes of JSON without spaces.
  private static let longest = 4096

  private static func routes<Target: Sendable>(
    _ path: String, _ finder: Finder<Target>,
    _ owner: @escaping @Sendable (Target) -> (owner: ConfigOwner, organization: Organization)
  ) -> [Route] {
    [
      .admin(.get, path, for: .viewer) { exchange in
        try await exchange.read(finder) { desk, target in
          response(try await desk.unit.config(of: owner(target).owner))
        }
      },
      .admin(.put, path, for: .operator) { exchange in
        try await exchange.write(finder) { desk, target in
          let (owner, organization) = owner(target)
          let config = try config(in: exchange)
          try exchange.requireMatch(try await desk.unit.config(of: owner).entityTag)
          try await desk.unit.replaceConfig(of: owner, with: config)
          try await tell(owner, organization, desk)
          return response(try await desk.unit.config(of: owner))
        }
      },
    ]
  }

  /// The body: any JSON object that is not too long.
  private static func config(in exchange: Exchange) throws -> Config {
    guard !exchange.request.body.isEmpty else {
      throw Problem(.malformedJSON, "The body is empty; this call takes a JSON object.")
    }
    try exchange.requireMediaType("application/json")
    let value = try JSONValue(parsing: exchange.request.body)
    guard case .object = value else { throw Problem.invalid("", "The body must be a JSON object") }
    guard !value.holdsNull else { throw Problem.invalid("", "The body must hold no U+0000") }
    var writer = JSONWriter(capacity: exchange.request.body.count)
    writer.value(value)
    guard writer.bytes.count <= longest else {
      throw Problem.invalid("", "The body must have at most \(longest) bytes without its spaces")
    }
    return Config(json: writer.bytes)
  }

  private static func response(_ config: Config) -> Response {
    var response = Response(200, headers: [HeaderField(.etag, config.entityTag)], body: config.json)
    response.headers.append(HeaderField(.contentType, "application/json"))
    return response
  }

  private static func tell(_ owner: ConfigOwner, _ organization: Organization, _ desk: Desk) async throws {
    switch owner {
    case .organization(let key):
      try await desk.record("organization.configured", of: organization)
      try await desk.announce(.organization(key))
    case .license(let license):
      try await desk.record("license.configured", of: organization, license: license.record.key)
      try await desk.announce(.license(organization.record.key, license.product))
    case .identity(let identity):
      try await desk.record("identity.configured", of: organization, identity: identity.record.key)
      try await desk.announce(.identity(organization.record.key, identity.record.key))
    }
  }
}

extension Config {
  /// By what it says (FNV-1a, 64 bits).
  fileprivate var entityTag: String {
    let digest = json.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return "\"\(String(digest, radix: 16))\""
  }
}

extension JSONValue {
  /// Whether a name or string holds U+0000, which the database has no way to keep.
  fileprivate var holdsNull: Bool {
    switch self {
    case .string(let text): text.unicodeScalars.contains("\0")
    case .array(let elements): elements.contains(where: \.holdsNull)
    case .object(let members):
      members.contains { $0.name.unicodeScalars.contains("\0") || $0.value.holdsNull }
    case .null, .boolean, .integer, .number: false
    }
  }
}
