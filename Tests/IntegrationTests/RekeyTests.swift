import Fixtures
import Foundation
import Testing

/// The key that seals CA keys is replaced.
struct RekeyTests {
  private func rekey(_ server: Installation, _ arguments: String...) throws -> Finished {
    try Shell.run(Installation.usher, ["rekey", "--config", server.data + "/usher.json"] + arguments)
  }

  @Test func `an interrupted rekey is finished by the next, and servers sign on under the new key`() throws {
    let server = try Installation()
    let tenants = try (0..<3).map { _ in try server.makeTenant() }
    let old = server.data + "/sealing.key"
    let oldText = try String(contentsOfFile: old, encoding: .utf8)
    let new = try server.folder.write(String(repeating: "5a", count: 32) + "\n", to: "new.key")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: new)
    let ids = "SELECT string_agg(DISTINCT sealing_key, ' ') FROM authority"
    let before = try server.sql(ids)

    // The last key is damaged: the others get theirs all the same, and it is named.
    let damaged = try server.sql("SELECT max(id) FROM authority")
    let sealed = try server.sql("SELECT encode(sealed_key, 'hex') FROM authority WHERE id = \(damaged)")
    try server.sql(
      "UPDATE authority SET sealed_key = set_byte(sealed_key, 40, 255 - get_byte(sealed_key, 40)) WHERE id = \(damaged)"
    )
    let first = try rekey(server, "--new", new)
    #expect(first.status == 1 && first.output == "sealed anew: 3, not opened: 1\n", "\(first)")
    #expect(first.errors.contains("authority "), "\(first.errors)")
    try server.sql(
      "UPDATE authority SET sealed_key = decode('\(sealed)', 'hex') WHERE id = \(damaged)")
    let second = try rekey(server, "--new", new)
    #expect(second.status == 0 && second.output == "sealed anew: 1, not opened: 0\n", "\(second)")
    #expect(try rekey(server, "--new", new).output == "sealed anew: 0, not opened: 0\n")
    let after = try server.sql(ids)
    #expect(after != before && !after.contains(" "), "\(before) → \(after)")
    #expect(try server.sql("SELECT count(*) FROM event WHERE type = 'authority.rekeyed'") == "3")

    #expect(throws: (any Error).self, "the old key opens nothing any more") { try tenants[0].enroll("one") }
    server.stop()
    try String(contentsOfFile: new, encoding: .utf8).write(toFile: old, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: old)
    try server.restart()
    for tenant in tenants { #expect(try tenant.enroll("one").claim(tenant.product).status == 201) }
    #expect(try String(contentsOfFile: old, encoding: .utf8) != oldText)
  }

  /// Killed while it waits: to read the second key's row, with one key done; and with a key sealed, but not committed.
  @Test(arguments: [
    "SELECT FROM authority WHERE id = (SELECT max(id) FROM authority) FOR UPDATE",
    "LOCK TABLE event IN SHARE MODE",
  ])
  func `a rekey that is killed midway loses nothing, and the next one finishes it`(_ statement: String) throws
  {
    let server = try Installation()
    let tenants = try (0..<2).map { _ in try server.makeTenant() }
    let old = server.data + "/sealing.key"
    let new = try server.folder.write(String(repeating: "5a", count: 32) + "\n", to: "new.key")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: new)
    let sealed = "SELECT string_agg(md5(sealed_key), ' ' ORDER BY id) FROM authority"
    let before = try server.sql(sealed).split(separator: " ")

    let lock = try DatabaseLock(statement, in: server)
    let run = try Program(
      Installation.usher, ["rekey", "--config", server.data + "/usher.json", "--new", new])
    // The server's own background work waits for the same rows.
    try lock.waitForWaiter(newcomer: true)
    run.signal(SIGKILL)
    #expect(run.waitForEnd() == .signal(SIGKILL))
    try lock.release()
    let after = try server.sql(sealed).split(separator: " ")
    let done = zip(before, after).filter { $0 != $1 }.count
    #expect(done == (statement.hasPrefix("LOCK") ? 0 : 1) && after.count == 2)
    let event = "SELECT count(*) FROM event WHERE type = 'authority.rekeyed'"
    #expect(try server.sql(event) == "\(done)")

    // The key that signs leases is sealed anew with them.
    let second = try rekey(server, "--new", new)
    #expect(second.status == 0 && second.output == "sealed anew: \(3 - done), not opened: 0\n", "\(second)")
    #expect(try server.sql(event) == "2")
    server.stop()
    try String(contentsOfFile: new, encoding: .utf8).write(toFile: old, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: old)
    try server.restart()
    for tenant in tenants { #expect(try tenant.enroll("one").claim(tenant.product).status == 201) }
  }
}
