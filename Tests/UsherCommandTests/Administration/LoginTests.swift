import Fixtures
import Foundation
import Testing

@testable import UsherCommand

@Suite struct LoginTests {
  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test(arguments: ["file", "setup", "setup-file"])
  func `logging in keeps the token for its owner alone`(by way: String) async throws {
    let made = #"{"id":"t1","token":"n3w"}"#
    let whoami = AdminDesk.answer(200, AdminDesk.token)
    let desk = try AdminDesk(way == "file" ? [whoami] : [AdminDesk.answer(201, made), whoami])
    try FileManager.default.removeItem(atPath: desk.profile)
    let secret = try desk.temporary.write("\n s3cret \n", to: "secret")
    let given = [
      "file": ["--token-file", secret], "setup": ["--setup", "s3cret"],
      "setup-file": ["--setup-file", secret],
    ]
    let screen = await desk.run(
      ["login", "--server", desk.server.url, "--ca", desk.ca] + (given[way] ?? []))
    #expect(screen.code == .success, "\(screen)")
    #expect(screen.printed == "\(desk.profile): Ann, admin of acme at \(desk.server.url)\n")
    #expect(try mode(desk.profile) == 0o600)
    #expect(try mode(desk.temporary.path + "/usher") == 0o700)
    let token = way == "file" ? "s3cret" : "n3w"
    #expect(try ProfileFile(nil, desk.environment).read().token == token)
    #expect(try ProfileFile(nil, desk.environment).read().organization == "acme")
    if way != "file" {
      let request = try #require(desk.server.requests.first?.request)
      #expect(request.hasPrefix("POST /v1/setup ") && request.hasSuffix(#"{"setupToken":"s3cret"}"#))
      #expect(!request.contains("Authorization") && request.contains("\r\nIdempotency-Key: "))
    }
  }

  @Test func `a refused token changes nothing`() async throws {
    let problem = #"{"code":"token-invalid","detail":"The token is unknown."}"#
    let desk = try AdminDesk([AdminDesk.answer(401, problem)])
    let other = try desk.temporary.write("0ther", to: "secret")
    let screen = await desk.run("login", "--token-file", other)
    #expect(screen.code == .refused && screen.errors == "refused: The token is unknown. (token-invalid)\n")
    #expect(try ProfileFile(nil, desk.environment).read().token == "t0ken")
  }

  @Test func `another server does not inherit the CA of the one before`() async throws {
    let desk = try AdminDesk([])
    let screen = await desk.run("login", "--server", "https://localhost:1", "--setup", "x")
    // The system's CAs are asked for, whether there are any or not.
    #expect(screen.code != .success)
    #expect(try ProfileFile(nil, desk.environment).read().server == desk.server.url)
  }

  @Test(arguments: [[], ["--token-file", "a", "--setup", "b"]])
  func `one way in must be chosen`(words: [String]) async throws {
    let screen = await Screen.after(["login", "--server", "https://localhost:1"] + words)
    #expect(screen.code == .failure)
    #expect(screen.errors.contains("one of --token-file, --setup and --setup-file must be given"))
  }

  @Test func `a profile has a name or is a path`() async throws {
    let desk = try AdminDesk([AdminDesk.answer(200, AdminDesk.token), AdminDesk.answer(200, AdminDesk.token)])
    let moved = desk.temporary.path + "/usher/other.json"
    try FileManager.default.moveItem(atPath: desk.profile, toPath: moved)
    #expect(await desk.run("whoami").errors.contains("usher login makes it"))
    #expect(
      await desk.run("whoami", "--profile", "other").printed.hasPrefix("Ann, admin of acme at https://"))
    let screen = await Screen.after("whoami", "--json", environment: ["USHER_PROFILE": moved])
    #expect(screen.printed == AdminDesk.token + "\n", "\(screen)")
    #expect(await desk.run("whoami", "--profile", "a.b").errors.contains("letters, digits, - and _ only"))
  }

  @Test func `a profile that others can read is not used`() async throws {
    let desk = try AdminDesk([])
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: desk.profile)
    let screen = await desk.run("whoami")
    #expect(screen.code == .failure && screen.errors.contains("can be read by others: chmod 600 it"))
  }

  @Test func `logging out removes the profile, and the token where it is told to`() async throws {
    let desk = try AdminDesk([AdminDesk.answer(200, AdminDesk.token), AdminDesk.answer(204, "")])
    #expect(await desk.run("logout", "--revoke").code == .success)
    #expect(desk.server.requests.last?.request.hasPrefix("DELETE /v1/organizations/acme/tokens/t1 ") == true)
    #expect(!FileManager.default.fileExists(atPath: desk.profile))
    #expect(await desk.run("logout").code == .failure)
  }
}
