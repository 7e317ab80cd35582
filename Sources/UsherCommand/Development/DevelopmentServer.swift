internal import LocalCluster
internal import Reactor
internal import Service
internal import Telemetry

/// `usher dev`: a PostgreSQL of its own, a certificate of its own, and the same server as in production.
struct DevelopmentServer: Sendable {
  struct Ports: Sendable {
    let device, admin, ops: UInt16
  }

  let folder: DevelopmentFolder
  let ports: Ports
  let terminal: Terminal
  let logger: Logger

  /// Serves until SIGTERM or SIGINT; PostgreSQL ends with it.
  func run(withDemo: Bool) async throws(CommandFailure) {
    do {
      let loops = try EventLoopGroup(count: 1, name: "usher-dev")
      defer { loops.shutdown() }
      let cluster = try await PostgresCluster.start(
        in: folder.cluster, environment: terminal.environment, logger: logger.labeled("postgres"),
        on: loops.loops[0])
      let result = await withTaskGroup(of: Void.self) { tasks in
        tasks.addTask { await cluster.run() }
        let result: Result<Void, any Error>
        do {
          result = .success(try await serve(database: cluster.url, withDemo: withDemo))
        } catch {
          result = .failure(error)
        }
        // Ends PostgreSQL, and waits for it.
        tasks.cancelAll()
        return result
      }
      try result.get()
    } catch { throw CommandFailure("\(error)") }
  }

  private func serve(database: String, withDemo: Bool) async throws {
    try folder.prepare()
    let configuration = try configuration(database: database)
    try folder.write(Array(configuration.rendered().utf8), to: folder.configuration)
    let node = try Node(configuration, logger: logger)
    let maintenance = try Maintenance(configuration)
    try await maintenance.migrate { logger.info("migrated", ["step": .text($0)]) }
    if try await !hasOperatorToken(maintenance) {
      let token = try await maintenance.makeOperatorToken(named: "usher dev")
      try folder.write(Array("\(token)\n".utf8), to: folder.operatorToken)
    }
    let demo = withDemo ? try await maintenance.makeDemo(for: configuration) : nil
    try await node.run {
      terminal.print(readyLine(configuration))
      if let demo { terminal.print(guide(to: demo, configuration)) }
    }
  }

  private func hasOperatorToken(_ maintenance: Maintenance) async throws -> Bool {
    guard let bytes = folder.read(folder.operatorToken) else { return false }
    let text = String(decoding: bytes, as: UTF8.self)
    return try await maintenance.isLiving(operatorToken: text.last == "\n" ? String(text.dropLast()) : text)
  }

  private func configuration(database: String) throws -> Configuration {
    let device = try chosen(ports.device)
    let admin = try chosen(ports.admin)
    let ops = try chosen(ports.ops)
    return Configuration(
      listeners: [
        ListenerConfiguration(address: "localhost", port: device, roles: [.device]),
        ListenerConfiguration(address: "localhost", port: admin, roles: [.admin, .enroll, .public]),
        ListenerConfiguration(address: "localhost", port: ops, roles: [.ops, .public]),
      ],
      serverCertificate: folder.serverCertificate, serverKeyFile: folder.serverKey,
      database: DatabaseConfiguration(url: database), sealingKeyFile: folder.sealingKey,
      publicURL: "http://127.0.0.1:\(ops)", deviceURL: "https://localhost:\(device)",
      baseDomain: "usher.localhost")
  }

  /// The port that was asked for; for 0 one that is free now, because URLs must name it before it is taken.
  private func chosen(_ port: UInt16) throws -> UInt16 {
    if port != 0 { return port }
    return try ListeningSocket.open(host: "localhost", port: 0).first?.address.port ?? 0
  }

  private func readyLine(_ configuration: Configuration) -> String {
    let ports = configuration.listeners.map(\.port)
    return
      "ready device=https://localhost:\(ports[0]) admin=https://localhost:\(ports[1]) ops=http://localhost:\(ports[2]) data=\(folder.path)"
  }

  private func guide(to demo: Maintenance.Demo, _ configuration: Configuration) -> String {
    let ports = configuration.listeners.map(\.port)
    return """

      Enroll a device of \(demo.organization) and claim a seat of \(demo.product):

        openssl ecparam -name prime256v1 -genkey -noout -out device.key
        openssl req -new -key device.key -subj /CN=my-device -out device.csr
        curl --fail-with-body --cacert \(folder.serverCA) -H "Authorization: Bearer \(demo.enrollmentToken)" -H "Content-Type: application/x-pem-file" --data-binary @device.csr -o device.pem https://localhost:\(ports[1])/v1/enroll
        curl --cacert \(folder.serverCA) --cert device.pem --key device.key -X PUT https://localhost:\(ports[0])/v1/seats/\(demo.product)

      """
  }
}
