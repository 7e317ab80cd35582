import API
import Directory
import HTTP
import PKIX
import Reactor
import Server
import TLS
import Telemetry

/// Opens the listeners of a configuration.
struct Hall {
  let configuration: Configuration
  let services: Services
  let directory: TrustDirectory
  let gate: DeviceGate
  let verifier: DeviceVerifier
  let credentials: ServerCredentials?
  let refusals: RefusalLog
  let metrics: ServerMetrics
  let loops: [EventLoop]

  func open(_ listener: ListenerConfiguration) throws(StartFailure) -> Listener<Application<DevicePeer>> {
    let (gate, directory) = (gate, directory)
    do {
      let application = try Application<DevicePeer>(
        surfaces: Set(listener.roles.map(\.surface)), services: services,
        authenticate: { peer, request in try await gate.authenticate(peer, request) }, recall: gate.recall,
        isReserved: { directory.isReserved(host: $0.host) })
      return try Listener(
        host: listener.address, port: listener.port, transport: transport(of: listener), app: application,
        configuration: settings(of: listener), metrics: metrics, loops: loops)
    } catch {
      throw StartFailure("cannot listen at \(listener.address):\(listener.port): \(error)")
    }
  }

  private func transport(of listener: ListenerConfiguration) throws -> Transport<DevicePeer> {
    guard listener.isTLS, let credentials else { return .plain }
    return .tls(
      try credentials.makeContext(
        listener.asksForClientCertificate ? .required(verifier) : .none,
        sessions: configuration.limits.connections))
  }

  private func settings(of listener: ListenerConfiguration) -> Server.ListenerConfiguration {
    let limits = configuration.limits
    var requests = RequestLimits(
      requestLine: limits.requestLineBytes, fieldCount: limits.headerCount, fieldBytes: limits.headerBytes,
      body: limits.bodyBytes)
    if listener.roles.contains(.admin) {
      requests.longBodies = [
        .init(.put, pathEnd: "/crl", bytes: RevocationList.limit),
        .init(.post, pathEnd: "/v1/bulk", bytes: 1 << 20),
      ]
    }
    let timeouts = configuration.timeouts
    return Server.ListenerConfiguration(
      name: listener.roles.map(\.rawValue).sorted().joined(separator: "+"),
      limits: requests,
      timeouts: Timeouts(
        handshake: timeouts.handshake, header: timeouts.header, body: timeouts.body, write: timeouts.write,
        idle: timeouts.idle),
      maximumConnections: limits.connections, drain: timeouts.drain, onRefusal: refusals.note)
  }
}

extension ListenerRole {
  fileprivate var surface: Surface {
    switch self {
    case .device: .device
    case .admin: .admin
    case .enroll: .enroll
    case .public: .public
    case .ops: .ops
    }
  }
}
