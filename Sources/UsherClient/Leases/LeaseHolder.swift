internal import Cryptography
internal import PKIX

/// Whose lease it must be: the device's key, by its thumbprint.
public struct LeaseHolder: Sendable, Hashable {
  let thumbprint: String

  /// Whoever has this key.
  public init(key: DeviceKey) throws(ClientError) { self = try Self(key.privateKey.publicKey) }

  /// Whoever has the key of this certificate, which is not proven by having the certificate.
  public init(certificatePEM: [UInt8]) throws(ClientError) {
    do {
      guard let key = try Certificate.all(inPEM: certificatePEM).first?.publicKey else {
        throw ClientError.unusable("there is no certificate with a key")
      }
      self = try Self(key)
    } catch let error as ClientError { throw error } catch {
      throw .unusable("the certificate cannot be read: \(error)")
    }
  }

  private init(_ key: PublicKey) throws(ClientError) {
    do throws(OpenSSLError) {
      guard let thumbprint = try JSONWebKey(key)?.thumbprint() else {
        throw OpenSSLError(operation: "a lease cannot be bound to a key of this kind")
      }
      self.thumbprint = thumbprint
    } catch { throw .unusable("\(error)") }
  }
}
