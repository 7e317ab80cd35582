import Database
import FoundationEssentials
import Testing

@Suite("The list of migrations")
struct MigrationListTests {
  static let folder = #filePath.replacing(
    "Tests/DatabaseTests/MigrationListTests.swift", with: "db/migrations")

  @Test("is what lies in the folder")
  func matchesFolder() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder).sorted()
    let listed = Migrations.all.map { migration in
      let digits = String(migration.version)
      return String(repeating: "0", count: 4 - digits.count) + digits + "_\(migration.name).sql"
    }
    #expect(files == listed)
    for (file, migration) in zip(files, Migrations.all) {
      #expect(try String(contentsOfFile: "\(Self.folder)/\(file)", encoding: .utf8) == migration.sql)
    }
  }

  @Test("counts up from 1, and asks of no binary what it cannot know")
  func isInOrder() {
    #expect(Migrations.all.map(\.version) == Array(1...Migrations.newest))
    #expect(Migrations.all.allSatisfy { $0.minimumBinary <= $0.version })
    #expect(
      zip(Migrations.all, Migrations.all.dropFirst()).allSatisfy { $0.minimumBinary <= $1.minimumBinary })
  }
}
