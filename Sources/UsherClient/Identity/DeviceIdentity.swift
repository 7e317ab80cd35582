internal import JSON

/// What a device shows, and to whom.
public struct DeviceIdentity: Sendable {
  /// `https://host[:port]` of the device listener.
  public let deviceURL: String
  /// The organization's slug.
  public let organization: String
  /// The identity's name.
  public let identity: String
  /// The certificate's key.
  public let key: DeviceKey
  /// The certificate and those that signed it, leaf first, in PEM.
  public let chainPEM: [UInt8]
  /// Which authorities the server's certificate may lead to, in PEM.
  public let authorityPEM: [UInt8]

  public init(
    deviceURL: String, organization: String, identity: String, key: DeviceKey, chainPEM: [UInt8],
    authorityPEM: [UInt8]
  ) {
    self.deviceURL = deviceURL
    self.organization = organization
    self.identity = identity
    self.key = key
    self.chainPEM = chainPEM
    self.authorityPEM = authorityPEM
  }

  /// What `identity.json` holds: `{deviceURL, organization, identity}`.
  public var json: String { Self.json(deviceURL: deviceURL, organization: organization, identity: identity) }

  static func json(deviceURL: String, organization: String, identity: String) -> String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("deviceURL", deviceURL)
      writer.member("organization", organization)
      writer.member("identity", identity)
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
