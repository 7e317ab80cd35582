internal import Cryptography
internal import FoundationEssentials
internal import Glibc
internal import PKIX
internal import Reactor

/// The folder in which `usher dev` keeps everything, and what it makes there once.
struct DevelopmentFolder: Sendable {
  /// Absolute.
  let path: String

  var cluster: String { path + "/postgres" }
  var operatorToken: String { path + "/operator.token" }
  var sealingKey: String { path + "/sealing.key" }
  var serverCA: String { path + "/server-ca.pem" }
  var serverCertificate: String { path + "/server.pem" }
  var serverKey: String { path + "/server.key" }
  var configuration: String { path + "/usher.json" }
  private var serverCAKey: String { path + "/server-ca.key" }

  /// Makes the folder, for its owner alone, if it is not there.
  init(_ path: String) throws(CommandFailure) {
    self.path = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    do {
      try FileManager.default.createDirectory(
        atPath: self.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw CommandFailure("\(self.path) cannot be made: \(error)")
    }
    guard FileManager.default.isWritableFile(atPath: self.path) else {
      throw CommandFailure("\(self.path) cannot be written; choose another folder with --data")
    }
  }

  func read(_ file: String) -> [UInt8]? { FileManager.default.contents(atPath: file).map(Array.init) }

  /// Writes a file as a whole or not at all, readable by its owner alone unless it is `isPublic`.
  func write(_ bytes: [UInt8], to file: String, isPublic: Bool = false) throws(CommandFailure) {
    let draft = file + ".new"
    // SAFETY: the path is a C string for the length of the call.
    _ = unsafe unlink(draft)
    let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, isPublic ? 0o644 : 0o600)
    guard descriptor >= 0 else { throw CommandFailure("\(file) cannot be written: errno \(errno)") }
    var rest = bytes[...]
    while !rest.isEmpty {
      // SAFETY: pointer and count are the slice's own, for the length of the call.
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else {
        close(descriptor)
        throw CommandFailure("\(file) cannot be written: errno \(errno)")
      }
      if count > 0 { rest = rest.dropFirst(count) }
    }
    fsync(descriptor)
    close(descriptor)
    guard unsafe rename(draft, file) == 0 else {
      throw CommandFailure("\(file) cannot be written: errno \(errno)")
    }
  }

  /// Makes the sealing key, the server's own CA and its certificate where they are missing or about to end.
  func prepare() throws(CommandFailure) {
    do {
      if read(sealingKey) == nil { try write(SealingKey.makeText(), to: sealingKey) }
      let now = WallClock.seconds
      let authority = try serverAuthority(at: now)
      if let pem = read(serverCertificate), let certificate = try? Certificate.all(inPEM: pem).first,
        read(serverKey) != nil, certificate.notAfter - now > 30 * 86_400,
        certificate.issuer == authority.certificate.subject
      {
        return
      }
      let key = try PrivateKey(generating: .p256)
      let certificate = try authority.issue(
        ServerProfile(
          dnsNames: ["localhost"], ipAddresses: [[127, 0, 0, 1], [UInt8](repeating: 0, count: 15) + [1]]),
        to: key.publicKey, at: now)
      try write(key.secretPEM(), to: serverKey)
      try write(Array(certificate.pem.utf8), to: serverCertificate, isPublic: true)
    } catch let failure as CommandFailure {
      throw failure
    } catch { throw CommandFailure("the server's certificate cannot be made: \(error)") }
  }

  /// The CA that signs the server's certificate: clients of this installation trust it, and nothing else needs it.
  private func serverAuthority(at now: Int64) throws -> IssuingAuthority {
    if let pem = read(serverCA), let keyPEM = read(serverCAKey) {
      return try IssuingAuthority(certificate: Certificate(pem: pem), signer: PrivateKey(pem: keyPEM))
    }
    let key = try PrivateKey(generating: .p256)
    let authority = try IssuingAuthority.root(
      RootProfile(commonName: "Usher development server CA", permittedURIHost: nil), signer: key, at: now)
    try write(key.secretPEM(), to: serverCAKey)
    try write(Array(authority.certificate.pem.utf8), to: serverCA, isPublic: true)
    return authority
  }
}
