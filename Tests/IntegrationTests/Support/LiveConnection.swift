import Fixtures

/// One TLS connection that stays open, driven by hand through `openssl s_client`.
final class LiveConnection {
  private let client: Program

  /// To the device's own installation, unless another address is given.
  convenience init(_ device: Device, to address: String? = nil) throws {
    try self.init(
      to: address ?? device.installation.device, of: device.installation, device.shown)
  }

  /// By whoever the arguments say; by nobody.
  init(to address: String, of installation: Installation, _ arguments: [String] = []) throws {
    client = try Program(
      "openssl",
      [
        "s_client", "-connect", address.replacing("https://", with: ""), "-CAfile", installation.serverCA,
        "-quiet", "-ign_eof",
      ] + arguments, input: .pipe, output: .pipe)
  }

  /// Sends a request and returns whatever comes first.
  func get(_ path: String) throws -> String {
    try send(Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
    return received()
  }

  func send(_ bytes: [UInt8]) throws { try client.send(bytes) }

  /// Whatever comes first; nothing once the connection has ended.
  func received() -> String { String(decoding: client.received(), as: UTF8.self) }

  /// Whether the server ends the connection.
  func endsWithin(seconds: Double) -> Bool { client.ends(within: seconds) }
}
