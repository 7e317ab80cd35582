import Cryptography
import Fixtures
import Foundation
import PKIX
import Reactor
import UsherClient

/// Many devices of one tenant, each with a certificate and a connection of its own, driven by the client library.
struct Crowd: Sendable {
  /// What became of one device's operation.
  enum Outcome: Sendable {
    case held(Seat)
    case refused(String)
    /// Nobody said yes or no.
    case unknown(reason: String, retryAfter: Int?)
  }

  let tenant: Tenant
  private let clients: [Client]

  /// Makes `count` devices that the tenant's own CA has signed; nobody has seen them yet. They call its installation,
  /// unless `deviceURL` says otherwise.
  init(_ count: Int, of tenant: Tenant, at deviceURL: String? = nil) throws {
    self.tenant = tenant
    let ca = try ExternalCA(.root(), of: tenant)
    if let deviceURL { try ca.waitUntilKnown(at: deviceURL) }
    // One key for all: it is the names that differ.
    let key = try PrivateKey(generating: .p256)
    let file = try tenant.installation.folder.write(
      String(decoding: key.secretPEM(), as: UTF8.self), to: UUID().uuidString + ".key")
    let deviceKey = try DeviceKey(readingFrom: file)
    let serverCA = try Array(Data(contentsOf: URL(fileURLWithPath: tenant.installation.serverCA)))
    clients = try (0..<count).map { index in
      let leaf = try ca.authority.leaf("device-\(index)", key: key) {
        $0.names = [.uri(Array("urn:device:\(index)".utf8))]
      }
      return try Client(
        identity: DeviceIdentity(
          deviceURL: deviceURL ?? tenant.installation.device, organization: tenant.slug,
          identity: "device-\(index)",
          key: deviceKey, chainPEM: Array(leaf.certificate.pem.utf8), authorityPEM: serverCA))
    }
  }

  /// Every device of it.
  var everybody: Set<Int> { Set(clients.indices) }

  /// Each of `devices` claims a seat once, `parallel` at a time; `granted` is told how many seats were given so far.
  func claim(
    _ devices: Set<Int>, parallel: Int = 8, granted: @escaping @Sendable (Int) -> Void = { _ in }
  ) async -> [Int: Outcome] {
    let count = Lock(0)
    return await each(of: devices, parallel) { client throws(ClientError) in
      let seat = try await client.claim(tenant.product)
      granted(
        count.withLock {
          $0 += 1
          return $0
        })
      return seat
    }
  }

  /// Each of `devices` asks for the seat that it holds.
  func check(_ devices: Set<Int>, parallel: Int = 8) async -> [Int: Outcome] {
    await each(of: devices, parallel) { client throws(ClientError) in try await client.check(tenant.product) }
  }

  private func each(
    of devices: Set<Int>, _ parallel: Int,
    _ operation: @escaping @Sendable (Client) async throws(ClientError) -> Seat
  ) async -> [Int: Outcome] {
    let order = devices.sorted()
    return await withTaskGroup(of: [Int: Outcome].self) { group in
      for first in 0..<min(parallel, order.count) {
        group.addTask {
          var outcomes: [Int: Outcome] = [:]
          for place in stride(from: first, to: order.count, by: parallel) {
            outcomes[order[place]] = await Self.outcome(clients[order[place]], operation)
          }
          return outcomes
        }
      }
      return await group.reduce(into: [:]) { $0.merge($1) { $1 } }
    }
  }

  private static func outcome(
    _ client: Client, _ operation: (Client) async throws(ClientError) -> Seat
  ) async -> Outcome {
    do throws(ClientError) { return .held(try await operation(client)) } catch {
      switch error {
      case .refused(let problem): return .refused(problem.code)
      case .cannotTell(let reason, let retryAfter): return .unknown(reason: reason, retryAfter: retryAfter)
      case .cancelled, .unusable: return .unknown(reason: error.description, retryAfter: nil)
      }
    }
  }
}

extension [Int: Crowd.Outcome] {
  /// Who holds a seat, and of which generation.
  var held: [Int: Int64] {
    compactMapValues { if case .held(let seat) = $0 { seat.generation } else { nil } }
  }

  /// With which codes whoever was refused was refused.
  var refusals: [Int: String] { compactMapValues { if case .refused(let code) = $0 { code } else { nil } } }

  /// Who has to ask again: why, and after how many seconds.
  var unknown: [Int: (reason: String, retryAfter: Int?)] {
    compactMapValues {
      if case .unknown(let reason, let retryAfter) = $0 { (reason, retryAfter) } else { nil }
    }
  }
}
