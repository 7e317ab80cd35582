import Fixtures
import Foundation
import PKIX
import Reactor
import Testing

/// Devices wait for a change of their seat, and hear of it at once, whichever server it was made on.
struct LongPollTests {
  private let server: Installation
  private let tenant: Tenant
  private let other: FurtherServer

  init() throws {
    server = try Installation.shared.get()
    tenant = try server.makeTenant(seats: 10, authority: false)
    other = try FurtherServer(of: server)
  }

  /// What a waiting device is told, and how long after `act` began.
  private func told(
    _ polls: SeatPolls, _ index: Int = 0, when act: () throws -> Answer
  ) throws -> (answer: String, after: Duration) {
    polls.wait([index])
    try SeatPolls.settle(1, at: other.ops, of: server)
    let start = MonotonicInstant.now
    let done = try act()
    #expect(done.status < 300, "\(done)")
    let answer = try #require(try polls.connections[index].answer())
    return (answer, start.duration(to: .now))
  }

  @Test func `whatever changes of a seat but its renewal is told within a second`() throws {
    let polls = try SeatPolls(1, of: tenant, to: other.port)
    let device = try server.device(polls.devices[0])
    #expect(try device.check(tenant.product).status == 200)
    var known = polls.revisions[0]
    func expect(_ parts: String..., when act: () throws -> Answer) throws {
      _ = polls.connections[0].send("GET", "\(polls.path)?after=\(known)&wait=300")
      try SeatPolls.settle(1, at: other.ops, of: server)
      let start = MonotonicInstant.now
      let done = try act()
      #expect(done.status < 300, "\(done)")
      let answer = try #require(try polls.connections[0].answer())
      let time = start.duration(to: .now)
      #expect(answer.hasPrefix("HTTP/1.1 200 ") && parts.allSatisfy(answer.contains), "\(answer)")
      #expect(time < .seconds(1), "\(time)")
      let revision = try #require(answer.firstMatch(of: /"revision":\s*(\d+)/).flatMap { Int64($0.1) })
      #expect(revision > known)
      known = revision
      // Nor does anybody who only asks see what was before, on either server.
      let asked = try #require(try polls.connections[0].get(polls.path))
      let elsewhere = try device.check(tenant.product).description
      #expect(parts.allSatisfy { asked.contains($0) && elsewhere.contains($0) }, "\(asked), \(elsewhere)")
    }
    let license = "\(tenant.path)/licenses/\(tenant.license)"
    try expect(#""colour":"blue""#) {
      try server.call("PATCH", license, #"{"features": {"colour": "blue"}}"#)
    }
    try expect(#""graceSeconds":7"#) {
      try server.call("PATCH", license, #"{"graceSeconds": 7}"#)
    }
    try expect(#""export":true"#) {
      try server.call("PATCH", "/v1/products/\(tenant.product)", #"{"features": {"export": true}}"#)
    }
    try expect(#""channel": "beta""#) {
      try server.call("PUT", "\(tenant.path)/config", #"{"channel": "beta"}"#)
    }
    try expect(#""channel": "stable""#) {
      try server.call("PUT", "\(license)/config", #"{"channel": "stable"}"#)
    }
    try expect(#""channel": "nightly""#) {
      try server.call("PUT", "\(tenant.path)/identities/urn%3Adevice%3A0/config", #"{"channel": "nightly"}"#)
    }
    try expect(#""kind":"assigned""#, #""expiresAt":null"#) {
      try server.call("PUT", polls.seat(0), "{}")
    }
  }

  @Test(arguments: [
    ("released", 404, "seat-not-held"), ("license suspended", 402, "license-suspended"),
    ("license ends", 402, "license-expired"),
    ("identity suspended", 402, "identity-suspended"), ("identity deleted", 410, "identity-deleted"),
    ("certificate revoked", 410, "certificate-revoked"), ("authority revoked", 410, "authority-revoked"),
    ("organization suspended", 402, "organization-suspended"),
  ])
  func `who loses the right is refused at once`(_ how: String, _ status: Int, _ code: String) throws {
    let polls = try SeatPolls(2, of: tenant, to: other.port)
    let license = "\(tenant.path)/licenses/\(tenant.license)"
    let identity = "\(tenant.path)/identities/urn%3Adevice%3A0"
    let (answer, time) = try told(polls) {
      switch how {
      case "released": return try server.call("DELETE", polls.seat(0))
      case "license suspended": return try server.call("PATCH", license, #"{"status": "suspended"}"#)
      case "license ends":
        let now = ISO8601DateFormatter().string(from: Date().addingTimeInterval(-1))
        return try server.call("PATCH", license, #"{"expiresAt": "\#(now)"}"#)
      case "identity suspended": return try server.call("PATCH", identity, #"{"status": "suspended"}"#)
      case "identity deleted": return try server.call("DELETE", identity)
      case "certificate revoked":
        let fingerprint = polls.devices[0].certificate.fingerprint
        return try server.call("POST", "\(tenant.path)/certificates/\(fingerprint)/revoke", "{}")
      case "authority revoked":
        let list = try server.call("GET", "\(tenant.path)/authorities")
        let id = try #require(list.body.firstMatch(of: /"id":\s*"([^"]+)"/)?.1)
        return try server.call("PATCH", "\(tenant.path)/authorities/\(id)", #"{"status": "revoked"}"#)
      case _: return try server.call("PATCH", tenant.path, #"{"status": "suspended"}"#)
      }
    }
    #expect(answer.hasPrefix("HTTP/1.1 \(status) ") && answer.contains(#""code":"\#(code)""#), "\(answer)")
    #expect(time < .seconds(1), "\(time)")
    // Refused peers lose the connection, who only lost a seat may claim another.
    #expect(
      answer.lowercased().contains("connection: close")
        == (status == 410 || !how.contains("license") && status == 402))
    // The bystander of the organization is not answered by what is not its own.
    let isOwn = !["license", "organization", "authority"].contains { how.hasPrefix($0) }
    if isOwn { #expect(polls.answered()[1] == nil) }
  }

  @Test func `a lease that runs out is told when it does, and renewing it elsewhere wakes nobody`() throws {
    let license = "\(tenant.path)/licenses/\(tenant.license)"
    #expect(try server.call("PATCH", license, #"{"leaseSeconds": 4}"#).status == 200)
    let polls = try SeatPolls(1, of: tenant, to: other.port)
    let device = try server.device(polls.devices[0])
    let start = MonotonicInstant.now
    polls.wait([0])
    try SeatPolls.settle(1, at: other.ops, of: server)
    // On the first server, of which the second hears nothing: it finds the new end when the old one comes.
    #expect(try device.claim(tenant.product).status == 200)
    let renewed = MonotonicInstant.now
    let answer = try #require(try polls.connections[0].answer())
    #expect(answer.contains(#""code":"seat-not-held""#), "\(answer)")
    #expect(start.duration(to: .now) >= .seconds(4))
    #expect(renewed.duration(to: .now) > .seconds(3), "\(renewed.duration(to: .now))")
  }

  @Test func `nothing that changed is 204 in time, and what changed before is told at once`() throws {
    let polls = try SeatPolls(1, of: tenant, to: other.port)
    let known = polls.revisions[0]
    let start = MonotonicInstant.now
    polls.wait([0], seconds: 1)
    let answer = try #require(try polls.connections[0].answer())
    #expect(answer.hasPrefix("HTTP/1.1 204 ") && !answer.lowercased().contains("connection: close"))
    #expect(start.duration(to: .now) >= .seconds(1))
    for (query, status) in [
      ("after=\(known - 1)&wait=300", 200), ("after=\(known)&wait=0", 204), ("after=\(known)&wait=301", 422),
      ("after=\(known)&wait=-1", 422), ("after=x", 422), ("wait=5", 422),
    ] {
      let answer = try polls.connections[0].get("\(polls.path)?\(query)")
      #expect(answer?.hasPrefix("HTTP/1.1 \(status) ") == true, "\(query): \(answer ?? "ended")")
    }
  }

  @Test func `requests behind a poll are answered after it, in order`() throws {
    let polls = try SeatPolls(1, of: tenant, to: other.port)
    polls.wait([0], seconds: 2)
    #expect(polls.connections[0].send("GET", "/v1/identity"))
    #expect(polls.connections[0].send("GET", polls.path))
    let answers = try (0..<3).map { _ in try #require(try polls.connections[0].answer()) }
    #expect(answers[0].hasPrefix("HTTP/1.1 204 "))
    #expect(answers[1].contains(#""certificate""#) && answers[2].contains(#""generation""#), "\(answers)")
  }

  @Test func `who hangs up waits no more`() throws {
    var polls: SeatPolls? = try SeatPolls(
      20, of: server.makeTenant(seats: 20, authority: false), to: other.port)
    polls?.wait(0..<20)
    try SeatPolls.settle(20, at: other.ops, of: server)
    polls = nil
    try SeatPolls.settle(0, at: other.ops, of: server)
  }

  @Test func `a server that stops answers whoever waits, and waits for nobody`() throws {
    let polls = try SeatPolls(10, of: tenant, to: other.port)
    polls.wait(0..<10)
    try SeatPolls.settle(10, at: other.ops, of: server)
    let (_, time) = Stopwatch.time { other.stop() }
    #expect(time < .seconds(10), "\(time): it drained for its 20 seconds")
    for connection in polls.connections {
      let answer = try #require(try connection.answer())
      #expect(
        answer.hasPrefix("HTTP/1.1 204 ") && answer.lowercased().contains("connection: close"), "\(answer)")
    }
  }
}
