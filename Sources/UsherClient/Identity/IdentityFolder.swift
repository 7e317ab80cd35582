internal import JSON

/// A device's identity in a folder: `key.pem` (mode 0600), `chain.pem`, `server-ca.pem`, and `identity.json` with
/// `{deviceURL, organization, identity}`.
///
/// `chain.pem` is written last: a folder with it is complete, one without it can enroll.
public struct IdentityFolder: Sendable {
  /// The folder's path.
  public let path: String

  public init(_ path: String) { self.path = path }

  /// The key to enroll with: a new one, or one that has no certificate yet. The folder is made if it is missing.
  public func prepareKey() throws(ClientError) -> DeviceKey {
    try LocalFile.makeFolder(path)
    guard !LocalFile.exists(chain) else {
      throw .unusable("\(path) has a certificate already; to enroll anew, choose another folder")
    }
    return LocalFile.exists(key) ? try DeviceKey(readingFrom: key) : try DeviceKey(creatingAt: key)
  }

  /// Completes the folder after an enrollment.
  public func complete(with certificate: IssuedCertificate, authorityPEM: [UInt8]) throws(ClientError) {
    let identity = DeviceIdentity.json(
      deviceURL: certificate.deviceURL, organization: certificate.organization, identity: certificate.identity
    )
    try LocalFile.replace(authority, authorityPEM)
    try LocalFile.replace(description, Array("\(identity)\n".utf8))
    try LocalFile.replace(chain, Array(certificate.chainPEM.utf8))
  }

  /// Puts a renewed certificate in the place of the old one; its key must be the folder's.
  public func renew(with certificate: IssuedCertificate) throws(ClientError) {
    try LocalFile.replace(chain, Array(certificate.chainPEM.utf8))
  }

  /// Reads a complete folder.
  public func read() throws(ClientError) -> DeviceIdentity {
    let chainPEM = try LocalFile.read(chain)
    let text = try LocalFile.read(description)
    guard let document = try? JSONValue(parsing: text), let deviceURL = document.text("deviceURL"),
      let organization = document.text("organization"), let identity = document.text("identity")
    else { throw .unusable("\(description) must hold deviceURL, organization and identity") }
    return DeviceIdentity(
      deviceURL: deviceURL, organization: organization, identity: identity,
      key: try DeviceKey(readingFrom: key), chainPEM: chainPEM, authorityPEM: try LocalFile.read(authority))
  }

  private var key: String { path + "/key.pem" }
  private var chain: String { path + "/chain.pem" }
  private var authority: String { path + "/server-ca.pem" }
  private var description: String { path + "/identity.json" }
}
