internal import PKIX
package import TLS
package import UsherClient

/// A device that a run plays: its certificate, and the requests it sends, ready as bytes.
package struct LoadIdentity: Sendable {
  package let credential: Credential
  /// Which of the run's organizations it belongs to.
  package let organization: Int

  package init(credential: Credential, organization: Int = 0) {
    self.credential = credential
    self.organization = organization
  }
}

extension LoadIdentity {
  /// A device that was enrolled before.
  package init(_ device: DeviceIdentity) throws(LoadFailure) {
    do {
      self.init(
        credential: try Credential(
          chain: Certificate.all(inPEM: device.chainPEM), privateKey: device.key.privateKey))
    } catch { throw LoadFailure("the device's certificate cannot be used: \(error)") }
  }
}
