import Directory
import FoundationEssentials
import Reactor
import TLS
import Telemetry

/// The server's own certificate and key, and who shows them: read at the start, and again at SIGHUP.
final class ServerCredentials: Sendable {
  private let certificateFile: String
  private let keyFile: String
  private let contexts = Lock<[ServerContext<DeviceVerifier>]>([])
  let initial: Credential

  /// Nil where no listener speaks TLS.
  init?(_ configuration: Configuration) throws(StartFailure) {
    guard configuration.listeners.contains(where: \.isTLS) else { return nil }
    guard let certificateFile = configuration.serverCertificate, let keyFile = configuration.serverKeyFile
    else {
      throw StartFailure("a listener speaks TLS: serverCertificate and serverKeyFile are needed")
    }
    self.certificateFile = certificateFile
    self.keyFile = keyFile
    initial = try Self.read(certificateFile, keyFile)
  }

  func makeContext(
    _ certificates: ServerContext<DeviceVerifier>.ClientCertificates, sessions: Int
  ) throws(TLSConfigurationError) -> ServerContext<DeviceVerifier> {
    let context = try ServerContext(
      credential: initial, clientCertificates: certificates, sessionCapacity: sessions)
    contexts.withLock { $0.append(context) }
    return context
  }

  /// Reads the files again and shows what they hold from the next connection on; what is broken changes nothing.
  func reload() throws {
    let credential = try Self.read(certificateFile, keyFile)
    for context in contexts.withLock({ $0 }) { try context.replaceCredential(credential) }
  }

  /// A certificate is nobody's secret: its file may be open to all.
  private static func contents(of path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path)))
  }

  private static func read(_ certificateFile: String, _ keyFile: String) throws(StartFailure) -> Credential {
    do {
      return try Credential(
        chainPEM: Self.contents(of: certificateFile), privateKeyPEM: Secret(file: keyFile).revealed())
    } catch {
      throw StartFailure("the server's certificate \(certificateFile) with the key \(keyFile): \(error)")
    }
  }
}
