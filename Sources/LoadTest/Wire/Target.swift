internal import PKIX
package import Reactor
package import TLS
internal import UsherClient

/// The listener that is put under load.
package struct Target: Sendable {
  /// Where connections go.
  package let address: SocketAddress
  /// The name or address that its certificate must hold.
  package let host: String
  /// Host and port as the Host field has them.
  package let authority: String
  package let context: ClientContext

  /// - Throws: `LoadFailure` when the URL leads nowhere or the authorities are none.
  package init(_ url: String, authorityPEM: [UInt8]) throws(LoadFailure) {
    guard let server = ServerURL(url) else {
      throw LoadFailure("“\(url)” must be https://host or https://host:port")
    }
    do {
      guard let address = try SocketAddress.resolve(server.host, port: server.port).first else {
        throw LoadFailure("\(server.host) has no address")
      }
      self.address = address
      context = try ClientContext(authorities: Certificate.all(inPEM: authorityPEM))
    } catch let failure as LoadFailure {
      throw failure
    } catch { throw LoadFailure("\(error)") }
    host = server.host
    authority = server.authority
  }

  /// Whether everything sent there stays on this machine.
  package var isLoopback: Bool { address.isLoopback }
}
