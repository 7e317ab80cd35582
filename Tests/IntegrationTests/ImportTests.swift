import Fixtures
import Foundation
import Testing

/// Many at once, against a server.
struct ImportTests {
  /// More by USHER_TEST_LINES, for who has the time.
  private static let lines = Int(ProcessInfo.processInfo.environment["USHER_TEST_LINES"] ?? "") ?? 300
  private static let root = #filePath.replacing("Tests/IntegrationTests/ImportTests.swift", with: "")

  private let server: Installation
  private let tenant: Tenant
  private let folder: TemporaryFolder
  private var profile: String { folder.path + "/admin.json" }

  init() throws {
    server = try Installation.shared.get()
    tenant = try server.makeTenant(authority: false)
    folder = try TemporaryFolder()
    let made = try server.call("POST", "\(tenant.path)/tokens", #"{"name": "importer", "role": "admin"}"#)
    let token = try folder.write(made.text("token"), to: "token")
    let login = try Shell.run(
      Installation.usher,
      [
        "login", "--server", server.admin, "--ca", server.serverCA, "--token-file", token, "--profile",
        profile,
      ])
    guard login.status == 0 else { throw Shell.Failure("\(login)") }
  }

  /// The names that a list has.
  private func names(_ resource: String, _ member: String) throws -> [String] {
    let run = try Shell.run(Installation.usher, [resource, "list", "--json", "--profile", profile])
    let page = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    return (page?["data"] as? [[String: Any]] ?? []).compactMap { $0[member] as? String }.sorted()
  }

  @Test func `an import that was interrupted is run again, and nothing is there twice`() throws {
    let wanted = (1...Self.lines).map { "device-\($0)" }
    let file = try folder.write("identity\n" + wanted.joined(separator: "\n"), to: "devices.csv")
    let arguments = ["enrollment", "create", "--from", file, "--profile", profile]
    let first = try Program(Installation.usher, arguments, output: .pipe)
    var seen: [String] = []
    while seen.count < Self.lines / 3, case let line = first.receivedLine(), !line.isEmpty {
      seen.append(line)
    }
    first.signal(SIGINT)
    // What came before it ended was done as well.
    while case let line = first.receivedLine(), line.hasSuffix("\n") { seen.append(line) }
    #expect(first.waitForEnd() == .signal(SIGINT))
    #expect(seen.count < Self.lines)
    // Lines may be put before the others meanwhile.
    let longer = try folder.write("identity\nearly\n" + wanted.joined(separator: "\n"), to: "longer.csv")
    let second = try Shell.run(
      Installation.usher, ["enrollment", "create", "--from", longer, "--profile", profile])
    #expect(second.status == 0, "\(second.errors)")
    #expect(second.errors == "\(Self.lines + 1) done, 0 there already, 0 refused\n")
    let told = second.output.split(separator: "\n").map { "\($0)\n" }
    #expect(Set(seen).isSubset(of: told))
    #expect(try names("enrollment", "identity") == (wanted + ["early"]).sorted())
  }

  @Test func `a bar shows how far it is, in a terminal`() throws {
    let names = (1...300).map { "desk-\($0)" }
    let file = try folder.write("name\n" + names.joined(separator: "\n"), to: "desks.csv")
    let shown = try Shell.run(
      Self.root + "scripts/terminal",
      [Installation.usher, "import", file, "--as", "identity", "--profile", profile])
    #expect(shown.status == 0, "\(shown)")
    #expect(shown.output.contains("[#############...........................] 100/300"), "\(shown.output)")
    #expect(shown.output.contains("300 done, 0 there already, 0 refused"))
    #expect(try self.names("identity", "name") == names.sorted())
  }
}
