import Foundation

/// An organization's offline root, which signs with `openssl`.
struct RootOfTheirOwn {
  private let files: String
  let pem: String

  init(in folder: String) throws {
    files = folder + "/root-" + UUID().uuidString
    try Shell.openssl(
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-384", "-noenc", "-days", "3650",
      "-subj", "/CN=Acme Root", "-addext", "keyUsage=critical,keyCertSign,cRLSign", "-keyout", files + ".key",
      "-out", files + ".pem")
    pem = try String(contentsOfFile: files + ".pem", encoding: .utf8)
  }

  /// Signs with these extensions, or with those that the request asks for.
  func sign(
    _ request: String, days: Int, extensions: String? = nil, subject: String? = nil
  ) throws -> String {
    try request.write(toFile: files + ".csr", atomically: true, encoding: .utf8)
    var arguments = [
      "x509", "-req", "-in", files + ".csr", "-CA", files + ".pem", "-CAkey", files + ".key",
      "-CAcreateserial", "-days", "\(days)",
    ]
    if let extensions {
      try extensions.write(toFile: files + ".ext", atomically: true, encoding: .utf8)
      arguments += ["-extfile", files + ".ext"]
    } else {
      arguments += ["-copy_extensions", "copy"]
    }
    if let subject { arguments += ["-subj", subject] }
    let signed = try Shell.run("openssl", arguments)
    guard signed.status == 0 else { throw Shell.Failure(signed.errors) }
    return signed.output
  }
}
