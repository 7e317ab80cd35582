public import Directory
import HTTP
public import Issuance
public import Licensing

/// The identity behind a client certificate, as this server knows it at the moment of the request.
public struct DeviceCaller: Sendable {
  public let peer: DevicePeer
  private let known: DevicePeer.Recognition

  /// Nil until the database was asked whom the certificate speaks for.
  public init?(_ peer: DevicePeer) {
    guard let known = peer.recognized else { return nil }
    self.init(peer, as: known)
  }

  init(_ peer: DevicePeer, as known: DevicePeer.Recognition) {
    self.peer = peer
    self.known = known
  }

  public var organization: Key<Organization> { peer.organization.key }
  public var slug: Slug { peer.organization.slug }
  public var identity: Key<Identity> { known.identity.key }
  public var name: IdentityName { known.identity.name }
  public var isAdministrator: Bool { known.identity.role == .admin }
  public var certificate: Key<CertificateRecord> { known.certificate }
  /// Where the organization sends its people for help.
  public var contactURL: String? { peer.organization.currentTerms.contactURL }
}

extension Caller {
  init(_ device: DeviceCaller) {
    self = device.isAdministrator ? .administrator(device) : .device(device)
  }

  /// Whoever the peer's certificate speaks for; nil until the database was asked.
  init?(_ peer: DevicePeer) {
    guard let device = DeviceCaller(peer) else { return nil }
    self.init(device)
  }
}

extension Caller {
  /// The device that calls, whatever its role.
  var device: DeviceCaller? {
    switch self {
    case .device(let device), .administrator(let device): device
    case .nobody, .token: nil
    }
  }
}

extension Exchange {
  /// The device that calls.
  func device() throws(Problem) -> DeviceCaller {
    guard let device = caller.device else { throw Problem(.notFound) }
    return device
  }
}
