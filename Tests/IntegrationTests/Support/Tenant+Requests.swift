import Foundation

/// A key and a certification request for it, made by `openssl`.
struct KeyRequest: Sendable {
  let key: String
  let request: String

  init(
    in folder: String, _ name: String = "device",
    _ arguments: [String] = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
  ) throws {
    let files = folder + "/" + UUID().uuidString
    (key, request) = (files + ".key", files + ".csr")
    let made = try Shell.run(
      "openssl",
      ["req", "-new"] + arguments + ["-noenc", "-keyout", key, "-subj", "/CN=" + name, "-out", request])
    guard made.status == 0 else { throw Shell.Failure(made.errors) }
  }

  /// Another request for the key of a device.
  init(for device: Device) throws {
    (key, request) = (device.key, device.key + "-" + UUID().uuidString + ".csr")
    try Shell.openssl("req", "-new", "-key", key, "-subj", "/CN=again", "-out", request)
  }
}

extension Installation {
  /// With a server of this installation, or with another one whose admin listener is at `address`.
  func enroll(_ request: KeyRequest, _ token: String, at address: String? = nil) throws -> Answer {
    try curl([
      "-H", "Authorization: Bearer \(token)", "-H", "Content-Type: application/x-pem-file", "--data-binary",
      "@" + request.request, (address ?? admin) + "/v1/enroll",
    ])
  }

  /// The device that an answer with a certificate makes of a key.
  func device(_ answer: Answer, _ request: KeyRequest) throws -> Device {
    guard answer.status == 201 else { throw Shell.Failure("\(answer)") }
    let certificate = request.key + "-" + UUID().uuidString + ".pem"
    try answer.body.write(toFile: certificate, atomically: true, encoding: .utf8)
    return Device(installation: self, certificate: certificate, key: request.key)
  }
}

extension Device {
  func renew(_ request: KeyRequest) throws -> Answer {
    try call(
      "POST", "/v1/certificates",
      ["-H", "Content-Type: application/x-pem-file", "--data-binary", "@" + request.request])
  }
}

/// Runs so many at once and gives their results in order.
func atOnce<Value: Sendable>(_ count: Int, _ body: @Sendable @escaping (Int) throws -> Value) async throws
  -> [Value]
{
  try await withThrowingTaskGroup(of: (Int, Value).self) { group in
    for index in 0..<count {
      group.addTask {
        try await withCheckedThrowingContinuation { done in
          Thread.detachNewThread { done.resume(with: Result { (index, try body(index)) }) }
        }
      }
    }
    return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
  }
}
