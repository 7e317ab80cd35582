import Fixtures
import Foundation
import Testing

/// Seats that are taken away from the network.
struct BorrowTests {
  private let server: Installation
  private let tenant: Tenant
  private let folder: TemporaryFolder

  init() throws {
    server = try Installation.shared.get()
    tenant = try server.makeTenant(
      seats: 3, license: #", "maxBorrowSeconds": 86400, "unborrowableSeats": 1"#)
    folder = try TemporaryFolder()
  }

  private func time(_ seconds: TimeInterval) -> String {
    ISO8601DateFormatter().string(from: Date().addingTimeInterval(seconds))
  }

  private func borrow(_ device: Device, _ body: String, _ more: [String] = []) throws -> Answer {
    try device.call(
      "POST", "/v1/seats/\(tenant.product)/borrow",
      ["-H", "Content-Type: application/json", "--data-binary", body] + more)
  }

  private func until(_ seconds: TimeInterval) -> String { #"{"until": "\#(time(seconds))"}"# }

  @Test
  func `a borrowed seat is a signed lease that holds to its end, and goes back early by the device alone`()
    throws
  {
    let device = try tenant.enroll("laptop")
    let answer = try borrow(device, until(3600))
    #expect(answer.status == 201 && answer.headers["content-type"] == "application/jwt", "\(answer)")
    let lease = try folder.write(answer.body, to: "lease")
    let keys = try folder.write(server.curl([server.admin + "/v1/jwks.json"]).body, to: "jwks")
    for (seconds, verdict) in [(60.0, "SUCCESS"), (3500, "SUCCESS"), (3700, "FAILURE")] {
      let said = try Shell.run(
        Installation.usher,
        ["verify-lease", "--jwks", keys, "--key", device.key, "--at", time(seconds), lease])
      #expect(said.output.hasPrefix(verdict), "\(seconds): \(said)")
    }
    let held = try device.check(tenant.product)
    #expect(held.text("kind") == "borrowed" && !held.text("borrowedUntil").isEmpty, "\(held)")

    let seat = "\(tenant.path)/licenses/\(tenant.license)/seats/laptop"
    let refused = try server.call("DELETE", seat)
    #expect(refused.status == 409 && refused.text("code") == "seat-borrowed", "\(refused)")
    #expect(try device.release(tenant.product).status == 204)
    #expect(try device.check(tenant.product).text("code") == "seat-not-held")
    #expect(try server.call("DELETE", seat).status == 204)
  }

  @Test func `a seat that is taken by force while it is lent counts as held until the loan is over`() throws {
    let device = try tenant.enroll("laptop")
    #expect(try borrow(device, until(3600)).status == 201)
    let license = "\(tenant.path)/licenses/\(tenant.license)"
    #expect(try server.call("DELETE", "\(license)/seats/laptop?force=true").status == 204)
    #expect(try device.check(tenant.product).text("code") == "seat-not-held")
    let usage = try server.call("GET", license)["usage"] as? [String: Any]
    #expect(usage?["held"] as? Int == 1, "\(usage ?? [:])")
  }

  @Test func `who may not borrow, for how long, and how many is said`() throws {
    let devices = try ["a", "b", "c"].map { try tenant.enroll($0) }
    let malformed = try borrow(devices[0], #"{"until": "tomorrow"}"#)
    #expect(malformed.status == 422 && malformed.text("code") == "invalid", "\(malformed)")
    #expect(try borrow(devices[0], "{}").status == 422)
    for seconds in [-60.0, 90_000] {
      let answer = try borrow(devices[0], until(seconds))
      #expect(answer.status == 422, "\(answer)")
    }
    let json = try borrow(devices[0], until(600), ["-H", "Accept: application/json"])
    #expect(
      json.status == 201 && json.text("kind") == "borrowed" && json.text("lease").hasPrefix("ey"), "\(json)")
    #expect(try borrow(devices[1], until(600)).status == 201)
    let third = try borrow(devices[2], until(600))
    #expect(third.status == 409 && third.text("code") == "no-seat-available", "\(third)")
    #expect(try devices[2].claim(tenant.product).status == 201, "one seat is never lent, but given")

    let plain = try server.makeTenant()
    let device = try plain.enroll("d")
    let answer = try device.call(
      "POST", "/v1/seats/\(plain.product)/borrow",
      ["-H", "Content-Type: application/json", "--data-binary", until(600)])
    #expect(answer.status == 409 && answer.text("code") == "borrow-not-permitted", "\(answer)")
  }

  @Test func `usher borrow takes a seat along, and release brings it back`() throws {
    let identity = folder.path + "/id"
    #expect(
      try Shell.run(
        Installation.usher,
        [
          "enroll", "--server", server.admin, "--ca", server.serverCA, "--out", identity, "--token",
          tenant.enrollmentToken(#"{"identity": "desk"}"#),
        ]
      ).status == 0)
    let out = folder.path + "/lease.jwt"
    let borrowed = try Shell.run(
      Installation.usher,
      ["borrow", "--identity", identity, "--until", time(3600), "--out", out, tenant.product])
    #expect(borrowed.status == 0, "\(borrowed)")
    let keys = try folder.write(
      server.curl([
        server.device + "/v1/jwks.json", "--cert", identity + "/chain.pem", "--key", identity + "/key.pem",
      ]).body, to: "jwks")
    let said = try Shell.run(
      Installation.usher, ["verify-lease", "--jwks", keys, "--key", identity + "/key.pem", out])
    #expect(said.status == 0, "\(said)")
    #expect(
      try Shell.run(Installation.usher, ["release", "--identity", identity, tenant.product]).status == 0)
  }
}
