import Cryptography
import Fixtures
import HTTP
import Issuance
import JSON
import Licensing
import Postgres
import Reactor
import Store
import Synchronization

@testable import API

/// The admin API over a database of its own, with a token for the operator.
struct World {
  let client: PostgresClient
  let services: Services
  let admin: Application<Visitor>
  let device: Application<Visitor>
  let operatorToken: String
  /// How often the server's memory was asked to catch up.
  let settled: Counter

  final class Counter: Sendable {
    let count = Atomic(0)
    var value: Int { count.load(ordering: .relaxed) }
  }

  /// Runs `body` in a new world; `units` may stand between the API and the database.
  static func with(
    units wrap: (any UnitsOfWork) -> any UnitsOfWork = { $0 },
    clock: @escaping @Sendable () -> Int64 = { 1_796_000_523 }, _ body: (World) async throws -> Void
  ) async throws {
    let configuration = try await TestCluster.shared.database(template: "api") { configuration in
      try await connected(configuration) { try await Migrator($0).migrate() }
    }
    try await connected(configuration) { client in
      let settled = Counter()
      let services = Services.forTests(
        units: wrap(StoreUnitsOfWork(client)), revocation: StoreRevocation(client),
        random: { try RandomBytes.make($0) }, clock: clock,
        settle: { settled.count.add(1, ordering: .relaxed) })
      let token = try BearerToken(.operator, random: services.random(32))
      let new = NewAPIToken(
        record: NewRecord(id: try services.newID()), organization: nil, name: "test", role: .operator,
        hash: token.hash, ttlSeconds: nil)
      _ = try await StoreUnitsOfWork(client).transact { try await $0.insert(new) }
      try await body(
        World(
          client: client, services: services,
          admin: try Application(surfaces: [.admin], services: services) { visitor, _ in visitor.caller },
          device: try Application(surfaces: [.device], services: services) { visitor, _ in visitor.caller },
          operatorToken: token.secret, settled: settled))
    }
  }

  private static func connected(
    _ configuration: PostgresConfiguration, _ body: (PostgresClient) async throws -> Void
  ) async throws {
    var configuration = configuration
    // A busy machine is no fault of the database.
    configuration.connectTimeout = .seconds(60)
    configuration.operationTimeout = .seconds(60)
    configuration.acquireTimeout = .seconds(60)
    let group = try EventLoopGroup(count: 1, name: "api-test")
    let client = PostgresClient.connect(configuration, on: group.loops)
    let result: Swift.Result<Void, any Error>
    do { result = .success(try await body(client)) } catch { result = .failure(error) }
    await client.close()
    group.shutdown()
    try result.get()
  }

  /// Sends a request to the admin listener; `as` is a token, the operator's unless said, and none if it is empty.
  @discardableResult
  func call(
    _ method: String, _ target: String, _ body: String? = nil, as token: String? = nil,
    ifMatch: String? = nil,
    key: String? = nil
  ) async throws -> Answer {
    var headers: [HeaderField] = []
    if token != "" { headers.append(HeaderField(.authorization, "Bearer \(token ?? operatorToken)")) }
    if let key { headers.append(HeaderField(.idempotencyKey, key)) }
    if body != nil { headers.append(HeaderField(.contentType, "application/json")) }
    if let ifMatch { headers.append(HeaderField(.ifMatch, ifMatch)) }
    let request = try Request(method, target, headers: headers, body: Array((body ?? "").utf8))
    return Answer(await admin.respond(to: request, from: nil))
  }

  /// Makes an organization and gives its slug back.
  @discardableResult
  func organization(_ slug: String = "acme") async throws -> String {
    try await call("POST", "/v1/organizations", #"{"slug":"\#(slug)","name":"\#(slug)"}"#).expect(201)
    return "/v1/organizations/\(slug)"
  }

  /// Makes a token of an organization's role.
  func token(_ role: String, of organization: String) async throws -> String {
    try await call("POST", "\(organization)/tokens", #"{"name":"\#(role)","role":"\#(role)"}"#).expect(201)[
      "token"]
  }

  /// Makes the product `studio` where it is missing and a license of it, whose path is given back.
  func license(_ organization: String, _ terms: String = #""model":"floating","seats":2"#) async throws
    -> String
  {
    try await call("POST", "/v1/products", #"{"code":"studio","name":"Studio"}"#)
    return try await call("POST", "\(organization)/licenses", #"{"product":"studio",\#(terms)}"#).expect(201)
      .location
  }

  func identity(_ organization: String, _ name: String) async throws -> String {
    try await call("POST", "\(organization)/identities", #"{"name":"\#(name)"}"#).expect(201).location
  }

  /// The types of the audit trail, in the order of their making.
  func events() async throws -> [String] { try await client.read(EventTypes()) }

  /// What the table of stored answers holds, as text; bytes as they are, where they are text.
  func storedText() async throws -> String {
    try await texts(
      "SELECT concat_ws(' ', encode(scope, 'escape'), key, headers, encode(body, 'escape')) FROM idempotency"
    ).joined(separator: "\n")
  }

  /// The first column of every row of a query.
  func texts(_ sql: String) async throws -> [String] {
    try await run(
      """
      CREATE OR REPLACE FUNCTION ask(sql text) RETURNS SETOF text LANGUAGE plpgsql AS
      $$ BEGIN RETURN QUERY EXECUTE sql; END $$
      """)
    return try await client.commit(Ask(sql: sql))
  }

  private struct Ask: Statement {
    static let sql: StaticString = "SELECT ask($1)"
    let sql: String
    func bind(_ parameters: inout Parameters) { parameters.append(sql) }
    static func row(_ columns: borrowing Columns) throws(PostgresError) -> String { try columns.string(0) }
  }

  /// Statements as text, on a connection of their own.
  func run(_ sql: String) async throws { try await client.session { try await $0.simple(sql) } }

  private struct EventTypes: Statement {
    static let sql: StaticString = "SELECT type FROM event ORDER BY id"
    static func row(_ columns: borrowing Columns) throws(PostgresError) -> String { try columns.string(0) }
  }
}

/// An answer, read.
struct Answer {
  let response: Response
  let json: JSONValue

  init(_ response: Response) {
    self.response = response
    json = (try? JSONValue(parsing: response.body)) ?? .null
  }

  var status: Int { response.status }
  var code: String { self["code"] }
  var location: String { header(.location) }
  var entityTag: String { header(.etag) }
  var text: String { String(decoding: response.body, as: UTF8.self) }

  func header(_ name: FieldName) -> String { response.value(of: name) ?? "" }

  /// A member that is a string; empty when it is none.
  subscript(_ member: String) -> String {
    if case .string(let text) = json[member] { text } else { "" }
  }

  /// The elements of a page.
  var data: [JSONValue] { if case .array(let elements) = json["data"] { elements } else { [] } }

  /// Where the next page begins.
  var next: String? { if case .string(let cursor) = json["next"] { cursor } else { nil } }

  @discardableResult
  func expect(_ status: Int) throws -> Answer {
    guard self.status == status else {
      throw Unexpected(description: "\(self.status) for \(status): \(text)")
    }
    return self
  }

  struct Unexpected: Error, CustomStringConvertible { let description: String }
}
