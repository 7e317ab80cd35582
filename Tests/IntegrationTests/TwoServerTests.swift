import Cryptography
import Fixtures
import Foundation
import PKIX
import Reactor
import Testing

/// Several servers on one database agree within a second (design invariant 4).
struct TwoServerTests {
  private let server: Installation
  init() throws { server = try Installation.shared.get() }

  private static let count = 100

  /// Connections of as many devices, each of which has been answered once.
  private func connect(_ tenant: Tenant, to port: UInt16) throws -> [(TestIdentity, HeldConnection)] {
    let ca = try ExternalCA(.root(), of: tenant)
    try ca.waitUntilKnown(at: "https://localhost:\(port)")
    let key = try PrivateKey(generating: .p256)
    return try (0..<Self.count).map { index in
      let device = try ca.authority.leaf("device-\(index)", key: key) {
        $0.names = [.uri(Array("urn:device:\(index)".utf8))]
      }
      let connection = try HeldConnection(to: port, in: server.clientContext(device))
      let answer = try connection.get("/v1/identity")
      #expect(answer?.hasPrefix("HTTP/1.1 200") == true, "\(answer ?? "ended")")
      return (device, connection)
    }
  }

  /// The moments at which the server ends them, watched while `act` runs on another thread.
  private func watch(
    _ connections: [HeldConnection], while act: @escaping @Sendable () -> Void
  ) throws -> [MonotonicInstant] {
    let thread = Thread { act() }
    thread.start()
    var ends = [MonotonicInstant?](repeating: nil, count: connections.count)
    let deadline = MonotonicInstant.now.advanced(by: .seconds(120))
    while ends.contains(nil), MonotonicInstant.now.duration(to: deadline) > .zero {
      var entries = connections.enumerated().map { index, connection in
        pollfd(fd: ends[index] == nil ? connection.descriptor : -1, events: Int16(POLLIN), revents: 0)
      }
      _ = unsafe poll(&entries, nfds_t(entries.count), 1000)
      let now = MonotonicInstant.now
      for (index, entry) in entries.enumerated() where entry.revents != 0 {
        if connections[index].hasEnded() { ends[index] = now }
      }
    }
    return try ends.map { try #require($0, "a connection of a refused device is still there") }
  }

  private func report(_ name: String, _ times: [Duration]) {
    let sorted = times.sorted()
    func at(_ share: Double) -> String {
      let time = sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
      return "\(Int(time / .milliseconds(1))) ms"
    }
    print(
      "\(name), \(sorted.count) connections on the other server: p50 \(at(0.5)), p90 \(at(0.9)), p99 \(at(0.99)), "
        + "longest \(at(1))")
    #expect(sorted[min(sorted.count - 1, sorted.count * 99 / 100)] < .seconds(1))
  }

  @Test func `revoking on one server cuts the connections on the other within a second`() throws {
    let other = try FurtherServer(of: server)
    let tenant = try server.makeTenant(authority: false)
    let held = try connect(tenant, to: other.port)
    let begun = Lock<[MonotonicInstant]>([])
    let fingerprints = held.map { "\($0.0.certificate.fingerprint)" }
    let server = server
    let ends = try watch(held.map(\.1)) {
      for fingerprint in fingerprints {
        begun.withLock { $0.append(.now) }
        let answer = try? server.call("POST", "\(tenant.path)/certificates/\(fingerprint)/revoke", "{}")
        #expect(answer.map { $0.status < 300 } == true, "\(answer.debugDescription)")
      }
    }
    let starts = begun.withLock { $0 }
    report("revoked one by one (from before the call)", zip(starts, ends).map { $0.duration(to: $1) })
    let device = try server.device(held[0].0)
    #expect(try other.call(device, "GET", "/v1/identity").text("code") == "certificate-revoked")
  }

  @Test func `suspending an organization on one server cuts all its connections on the other`() throws {
    let other = try FurtherServer(of: server)
    let tenant = try server.makeTenant(authority: false)
    let bystander = try connect(server.makeTenant(authority: false), to: other.port)
    let held = try connect(tenant, to: other.port)
    let start = MonotonicInstant.now
    let server = server
    let ends = try watch(held.map(\.1)) {
      let answer = try? server.call("PATCH", tenant.path, #"{"status": "suspended"}"#)
      #expect(answer?.status == 200, "\(answer.debugDescription)")
    }
    report("suspended at once (from before the call)", ends.map { start.duration(to: $0) })
    for (_, connection) in bystander { #expect(!connection.hasEnded()) }
    let device = try server.device(held[0].0)
    #expect(try other.call(device, "GET", "/v1/identity").text("code") == "organization-suspended")
  }

  @Test(arguments: [Relay.Mode.cut, .hanging])
  func `a server that hears of no changes says so, grants nothing, and serves nothing stale afterwards`(
    _ mode: Relay.Mode
  ) throws {
    let relay = try Relay(to: server)
    defer { withExtendedLifetime(relay) {} }
    let other = try FurtherServer(of: server, database: relay.url(of: server))
    let tenant = try server.makeTenant(seats: 10)
    let devices = try ["kept", "revoked", "suspended", "released", "late"].map { try tenant.enroll($0) }
    let (kept, revoked, suspended, released, late) = (
      devices[0], devices[1], devices[2], devices[3], devices[4]
    )
    let seat = "/v1/seats/\(tenant.product)"
    for device in devices.dropLast() { #expect(try other.call(device, "PUT", seat).status == 201) }
    #expect(try other.call(late, "GET", "/v1/identity").status == 200)

    relay.set(mode)
    // The database may be missed a moment before the feed is.
    let deadline = MonotonicInstant.now.advanced(by: .seconds(10))
    while try other.waits(untilReady: false).says(isGood: "changes") {
      try #require(MonotonicInstant.now.duration(to: deadline) > .zero, "the feed's loss is not noticed")
    }
    let refused = try other.call(late, "PUT", seat)
    #expect(refused.status == 503 && refused.headers["retry-after"] != nil, "\(refused)")
    #expect(try other.call(kept, "GET", seat).status == 200, "held seats are answered from memory")

    // What happens meanwhile where the database is.
    let serial = try revoked.serialNumber
    #expect(try server.call("POST", "\(tenant.path)/certificates/\(serial)/revoke", "{}").status < 300)
    #expect(
      try server.call("PATCH", tenant.path + "/identities/suspended", #"{"status": "suspended"}"#).status
        == 200)
    #expect(
      try server.call("DELETE", "\(tenant.path)/licenses/\(tenant.license)/seats/released").status == 204)

    relay.set(.carrying)
    try other.waits(untilReady: true)
    #expect(try other.call(revoked, "GET", seat).text("code") == "certificate-revoked")
    #expect(try other.call(suspended, "GET", seat).text("code") == "identity-suspended")
    #expect(try other.call(released, "GET", seat).text("code") == "seat-not-held")
    #expect(try other.call(kept, "GET", seat).status == 200)
    #expect(try other.call(late, "PUT", seat).status == 201)
  }

  @Test func `a server that has heard nothing for too long answers nothing from memory`() throws {
    let relay = try Relay(to: server)
    defer { withExtendedLifetime(relay) {} }
    let other = try FurtherServer(
      of: server, database: relay.url(of: server), settings: ["staleSeconds": 2])
    let tenant = try server.makeTenant()
    let device = try tenant.enroll("laptop")
    let seat = "/v1/seats/\(tenant.product)"
    #expect(try other.call(device, "PUT", seat).status == 201)
    relay.set(.cut)
    let deadline = MonotonicInstant.now.advanced(by: .seconds(10))
    var answer = try other.call(device, "GET", seat)
    while answer.status == 200, MonotonicInstant.now.duration(to: deadline) > .zero {
      answer = try other.call(device, "GET", seat)
    }
    #expect(answer.status == 503 && answer.text("code") == "storage-unavailable", "\(answer)")
    #expect(try other.call(device, "GET", "/v1/identity").status == 503)
    relay.set(.carrying)
    try other.waits(untilReady: true)
    #expect(try other.call(device, "GET", seat).status == 200)
  }
}

extension Answer {
  /// Whether `/readyz` says that a check is good.
  fileprivate func says(isGood check: String) -> Bool {
    let checks = self["checks"] as? [[String: Any]] ?? []
    return checks.contains { $0["name"] as? String == check && $0["ok"] as? Bool == true }
  }
}
