import Foundation

/// One TLS connection that stays open, driven by hand through `openssl s_client`.
final class LiveConnection {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  init(_ device: Device) throws {
    let address = device.installation.device.replacingOccurrences(of: "https://", with: "")
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "openssl", "s_client", "-connect", address, "-CAfile", device.installation.serverCA, "-cert",
      device.certificate,
      "-key", device.key, "-quiet", "-ign_eof",
    ]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  deinit { if process.isRunning { process.terminate() } }

  /// Sends a request and returns whatever comes first.
  func get(_ path: String) throws -> String {
    try send(Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
    return received()
  }

  func send(_ bytes: [UInt8]) throws { try input.fileHandleForWriting.write(contentsOf: Data(bytes)) }

  /// Whatever comes first; nothing once the connection has ended.
  func received() -> String {
    String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
  }

  /// Whether the server ends the connection.
  func endsWithin(seconds: Double) throws -> Bool {
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    if !process.isRunning { return true }
    return ended.wait(timeout: .now() + seconds) == .success
  }
}
