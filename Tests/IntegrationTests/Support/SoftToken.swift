import Fixtures
import Foundation

/// A SoftHSM token of an installation's own (Debian: softhsm2, libengine-pkcs11-openssl, opensc).
struct SoftToken {
  private static let module = "/usr/lib/softhsm/libsofthsm2.so"
  private static let needed =
    [["/usr/bin/softhsm2-util"], ["/usr/bin/pkcs11-tool"], [module]]
    + [["x86_64", "aarch64"].map { "/usr/lib/\($0)-linux-gnu/engines-3/pkcs11.so" }]

  static let isInstalled = needed.allSatisfy { $0.contains(where: FileManager.default.isReadableFile) }

  private let configuration: String
  private let pin: String

  init(in server: Installation) throws {
    let folder = server.folder.path + "/token"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    configuration = try server.folder.write(
      "directories.tokendir = \(folder)\nobjectstore.backend = file\n", to: "token.conf")
    pin = try server.folder.write("5678\n", to: "token.pin")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: pin)
    try run(
      "softhsm2-util", ["--init-token", "--free", "--label", "usher", "--so-pin", "1234", "--pin", "5678"])
  }

  var environment: [String: String] { ["SOFTHSM2_CONF": configuration] }
  /// Members of a server's configuration.
  var settings: [String: Any] { ["pkcs11": ["module": Self.module, "pinFile": pin]] }

  /// Makes a key in the token, with the token's own tools: it was never anywhere else.
  func makeKey(_ label: String, _ type: String) throws {
    try run(
      "pkcs11-tool",
      [
        "--module", Self.module, "--login", "--pin", "5678", "--token-label", "usher", "--keypairgen",
        "--key-type",
        type, "--label", label, "--id", "01", "--usage-sign",
      ])
  }

  private func run(_ command: String, _ arguments: [String]) throws {
    let result = try Shell.run("env", ["SOFTHSM2_CONF=" + configuration, command] + arguments)
    guard result.status == 0 else { throw Shell.Failure("\(command): \(result.errors)") }
  }
}
