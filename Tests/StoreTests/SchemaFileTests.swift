import Fixtures
import FoundationEssentials
import LocalCluster
import Postgres
import Reactor
import Testing

@testable import Store

/// `db/schema.sql` is what the migrations make, for people to read and reviews to show.
@Suite struct SchemaFileTests {
  static let path = #filePath.replacing("Tests/StoreTests/SchemaFileTests.swift", with: "db/schema.sql")

  /// With `USHER_WRITE_SCHEMA` set, the file is written instead of compared.
  @Test func `the file shows what the migrations make`() async throws {
    let configuration = try await TestCluster.shared.database()
    let group = try EventLoopGroup(count: 1, name: "schema")
    defer { group.shutdown() }
    try await TestStore.withClient(configuration) { try await Migrator($0).migrate() }
    let database = try #require(configuration.database)
    let url = try await TestCluster.shared.cluster.url(database: database)
    // Other major versions print the same schema in other words.
    let version = try await ChildProcess.run(.init("pg_dump", ["--version"]), on: group.loops[0])
    guard String(decoding: version.output, as: UTF8.self).contains(" 15.") else { return }
    let dump = try await ChildProcess.run(
      .init("pg_dump", ["--schema-only", "--no-owner", "--no-privileges", url]), on: group.loops[0])
    #expect(dump.status.isSuccess)
    // The role behind the second wall is named after the database.
    let schema = Self.normalized(String(decoding: dump.output, as: UTF8.self))
      .replacing("\(database)_tenant", with: "usher_tenant")
    if ProcessInfo.processInfo.environment["USHER_WRITE_SCHEMA"] != nil {
      try schema.write(toFile: Self.path, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOfFile: Self.path, encoding: .utf8) == schema)
  }

  /// Without comments, settings, what only psql understands, and runs of empty lines.
  static func normalized(_ dump: String) -> String {
    var lines: [Substring] = []
    for line in dump.split(separator: "\n", omittingEmptySubsequences: false) {
      if ["--", "SET ", "SELECT pg_catalog", "\\"].contains(where: line.hasPrefix) { continue }
      if line.isEmpty, lines.last?.isEmpty ?? true { continue }
      lines.append(line)
    }
    return lines.joined(separator: "\n")
  }
}
