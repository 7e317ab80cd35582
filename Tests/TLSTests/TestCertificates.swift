import Cryptography
import Foundation
import PKIX
import TLS

/// Certificates made once by `openssl`: an authority, two servers, a client and a chain of a hundred.
struct TestCertificates {
  static let shared = Result { try TestCertificates() }

  let folder: URL

  private init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    atexit(removeTestCertificates)
    try make(
      "authority", subject: "/CN=Authority", extensions: ["basicConstraints=critical,CA:TRUE"], issuer: nil)
    try make(
      "stranger", subject: "/CN=Stranger", extensions: ["basicConstraints=critical,CA:TRUE"], issuer: nil)
    for name in ["server", "replacement"] {
      try make(
        name, subject: "/CN=\(name)", extensions: ["subjectAltName=DNS:localhost,DNS:other.test,IP:127.0.0.1"]
      )
    }
    try make(
      "client", subject: "/O=Acme, Inc./CN=client\u{201d}", extensions: ["extendedKeyUsage=clientAuth"])
    let client = try String(contentsOf: file("client.pem"), encoding: .utf8)
    try String(repeating: client, count: 100).write(to: file("flood.pem"), atomically: true, encoding: .utf8)
  }

  func path(_ name: String) -> String { file(name).path }

  func certificate(_ name: String) throws -> Certificate {
    try Certificate(pem: [UInt8](Data(contentsOf: file("\(name).pem"))))
  }

  func credential(_ name: String, key: String? = nil) throws -> Credential {
    try Credential(
      chainPEM: [UInt8](Data(contentsOf: file("\(name).pem"))),
      privateKeyPEM: [UInt8](Data(contentsOf: file("\(key ?? name).key"))))
  }

  private func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

  private func make(_ name: String, subject: String, extensions: [String], issuer: String? = "authority")
    throws
  {
    var arguments = [
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-utf8",
    ]
    arguments += [
      "-subj", subject, "-days", "30", "-keyout", path("\(name).key"), "-out", path("\(name).pem"),
    ]
    for value in extensions { arguments += ["-addext", value] }
    if let issuer { arguments += ["-CA", path("\(issuer).pem"), "-CAkey", path("\(issuer).key")] }
    try OpenSSLCommand.run(arguments)
  }
}

private func removeTestCertificates() {
  guard case .success(let certificates) = TestCertificates.shared else { return }
  try? FileManager.default.removeItem(at: certificates.folder)
}
