internal import PKIX
package import Reactor
package import TLS
internal import UsherClient

/// The listener that is put under load, or those of several servers that go by one name.
package struct Target: Sendable {
  /// Where connections go.
  package let addresses: [SocketAddress]
  /// The name or address that its certificate must hold.
  package let host: String
  /// Host and port as the Host field has them.
  package let authority: String
  package let context: ClientContext

  /// `urls` are separated by commas; what is asked of any of them is asked by the first one's name.
  ///
  /// - Throws: `LoadFailure` when a URL leads nowhere or the authorities are none.
  package init(_ urls: String, authorityPEM: [UInt8]) throws(LoadFailure) {
    var servers: [ServerURL] = []
    for url in urls.split(separator: ",") {
      guard let server = ServerURL(String(url)) else {
        throw LoadFailure("“\(url)” must be https://host or https://host:port")
      }
      servers.append(server)
    }
    guard let server = servers.first else { throw LoadFailure("no server is named") }
    do {
      addresses = try servers.map { server in
        guard let address = try SocketAddress.resolve(server.host, port: server.port).first else {
          throw LoadFailure("\(server.host) has no address")
        }
        return address
      }
      context = try ClientContext(authorities: Certificate.all(inPEM: authorityPEM))
    } catch let failure as LoadFailure {
      throw failure
    } catch { throw LoadFailure("\(error)") }
    host = server.host
    authority = server.authority
  }

  /// Whether everything sent there stays on this machine.
  package var isLoopback: Bool { addresses.allSatisfy(\.isLoopback) }

  /// Workers take the servers in turn.
  func address(of worker: Int) -> SocketAddress { addresses[worker % addresses.count] }
}
