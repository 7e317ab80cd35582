package import Cryptography
internal import PKIX

/// A device's private key: P-256, made here, kept in one file that only its owner can read. It prints as `<redacted>`.
public struct DeviceKey: Sendable, CustomStringConvertible {
  package let privateKey: PrivateKey

  /// Makes a key and writes it to a new file of mode 0600; a file that exists is never overwritten.
  public init(creatingAt path: String) throws(ClientError) {
    let text: [UInt8]
    do throws(OpenSSLError) {
      privateKey = try PrivateKey(generating: .p256)
      text = try privateKey.secretPEM()
    } catch { throw .unusable("the key cannot be made: \(error)") }
    try LocalFile.create(path, text)
  }

  /// Reads an unencrypted PEM key.
  public init(readingFrom path: String) throws(ClientError) {
    let text = try LocalFile.read(path)
    do throws(OpenSSLError) { privateKey = try PrivateKey(pem: text) } catch {
      throw .unusable("\(path) holds no private key that can be read: \(error)")
    }
  }

  /// A certification request (PKCS#10, DER) for this key; the server decides what becomes of the name.
  public func certificationRequest(commonName: String) throws(ClientError) -> [UInt8] {
    do throws(OpenSSLError) {
      return try CertificationRequest.make(commonName: commonName, signer: privateKey)
    } catch { throw .unusable("the certification request cannot be made: \(error)") }
  }

  public var description: String { "<redacted>" }
}
