import Cryptography
import Fixtures
import Foundation
import PKIX
import Reactor

/// Devices of one tenant whose connections wait for a change of their seats.
final class SeatPolls {
  let tenant: Tenant
  let devices: [TestIdentity]
  let connections: [HeldConnection]
  let revisions: [Int64]
  private let server: Installation

  /// Each connects to `port`, claims a seat there, and is left holding it.
  init(_ count: Int, of tenant: Tenant, to port: UInt16) throws {
    self.tenant = tenant
    server = tenant.installation
    let authority = try ExternalCA(.root(), of: tenant).authority
    // One key for all: it is the names that differ.
    let key = try PrivateKey(generating: .p256)
    devices = try (0..<count).map { index in
      try authority.leaf("device-\(index)", key: key) {
        $0.names = [.uri(Array("urn:device:\(index)".utf8))]
      }
    }
    let server = server
    let path = "/v1/seats/\(tenant.product)"
    let held = try devices.map { device in
      // A server that has just been told of the CA elsewhere may not have heard of it yet.
      let deadline = MonotonicInstant.now.advanced(by: .seconds(20))
      while true {
        let connection = try HeldConnection(to: port, in: server.clientContext(device))
        let answer = connection.send("PUT", path) ? try connection.answer() : nil
        if let answer, answer.contains(" 201 "),
          let revision = answer.firstMatch(of: /"revision":\s*(\d+)/).flatMap({ Int64($0.1) })
        {
          return (connection, revision)
        }
        guard MonotonicInstant.now.duration(to: deadline) > .zero else {
          throw Shell.Failure("no seat: \(answer ?? "the connection ended")")
        }
      }
    }
    (connections, revisions) = (held.map(\.0), held.map(\.1))
  }

  var path: String { "/v1/seats/\(tenant.product)" }

  /// The name of a device's identity.
  func name(_ index: Int) -> String { "urn:device:\(index)" }

  /// The path of that identity's seat in the admin API.
  func seat(_ index: Int) -> String {
    "\(tenant.path)/licenses/\(tenant.license)/seats/urn%3Adevice%3A\(index)"
  }

  /// Each of `indices` asks for what comes after its revision.
  func wait(_ indices: some Sequence<Int>, seconds: Int = 300) {
    for index in indices {
      _ = connections[index].send("GET", "\(path)?after=\(revisions[index])&wait=\(seconds)")
    }
  }

  /// Those who have been answered by now, with their answers.
  func answered() -> [Int: String] {
    var answers: [Int: String] = [:]
    for (index, connection) in connections.enumerated() {
      _ = connection.hasEnded()
      if let answer = connection.takeAnswer() { answers[index] = answer }
    }
    return answers
  }

  /// How many wait on the server whose operations listener is at `ops`.
  static func waiting(at ops: String, of server: Installation) throws -> Int {
    let metrics = try server.curl([ops + "/metrics"]).body
    return metrics.firstMatch(of: /(?m)^usher_seat_watches (\d+)$/).flatMap { Int($0.1) } ?? -1
  }

  /// Returns when so many wait there.
  static func settle(_ count: Int, at ops: String, of server: Installation) throws {
    let deadline = MonotonicInstant.now.advanced(by: .seconds(60))
    while try waiting(at: ops, of: server) != count {
      guard MonotonicInstant.now.duration(to: deadline) > .zero else {
        throw Shell.Failure("\(try waiting(at: ops, of: server)) wait, not \(count)")
      }
    }
  }
}
