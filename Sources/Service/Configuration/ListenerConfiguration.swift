/// An address at which the server listens, and what it is there. Its roles decide how it speaks: the roles of TLS
/// make it TLS, the others alone leave it plain.
public struct ListenerConfiguration: Sendable, Equatable {
  /// An IP address in numbers, or `localhost`.
  public var address: String
  /// 0 lets the kernel choose.
  public var port: UInt16
  public var roles: Set<ListenerRole>

  public init(address: String, port: UInt16, roles: Set<ListenerRole>) {
    self.address = address
    self.port = port
    self.roles = roles
  }

  public var isTLS: Bool { roles.contains { $0.needsTLS } }

  /// Only devices show a certificate: a browser never sees its prompt.
  public var asksForClientCertificate: Bool { roles.contains(.device) }
}
