import Fixtures
import Foundation

extension Installation {
  /// A call without any proof of who calls.
  func curl(_ arguments: [String]) throws -> Answer {
    Answer(try Shell.run("curl", ["-sS", "-i", "--max-time", "30", "--cacert", serverCA] + arguments))
  }

  /// A call of the admin API; as an operator unless a token is given.
  func call(
    _ method: String, _ path: String, _ json: String? = nil, token: String? = nil, headers: [String] = []
  )
    throws -> Answer
  {
    var arguments = ["-X", method, "-H", "Authorization: Bearer \(try token ?? operatorToken)"]
    for header in headers { arguments += ["-H", header] }
    if let json { arguments += ["-H", "Content-Type: application/json", "--data-binary", json] }
    return try curl(arguments + [admin + path])
  }

  /// An organization with a managed CA, a product of its own and a license.
  func makeTenant(seats: Int = 2, authority: Bool = true, license: String = "") throws -> Tenant {
    let slug = "org-" + UUID().uuidString.lowercased().prefix(8)
    let product = "product-" + slug
    let made = [
      try call(
        "POST", "/v1/organizations",
        #"{"slug": "\#(slug)", "name": "\#(slug)", "contactUrl": "https://help.example/"}"#),
      try call("POST", "/v1/products", #"{"code": "\#(product)", "name": "\#(product)"}"#),
      try call(
        "POST", "/v1/organizations/\(slug)/licenses",
        #"{"product": "\#(product)", "model": "floating", "seats": \#(seats)\#(license)}"#),
    ]
    for answer in made where answer.status != 201 { throw Shell.Failure("\(answer)") }
    if authority {
      let answer = try call("POST", "/v1/organizations/\(slug)/authorities", #"{"kind": "managed"}"#)
      guard answer.status == 201 else { throw Shell.Failure("\(answer)") }
    }
    return Tenant(installation: self, slug: slug, product: product, license: made[2].text("id"))
  }
}

/// An organization of a test's own.
struct Tenant: Sendable {
  let installation: Installation
  let slug: String
  let product: String
  let license: String

  var path: String { "/v1/organizations/\(slug)" }

  func enrollmentToken(_ json: String = "{}") throws -> String {
    let answer = try installation.call("POST", path + "/enrollments", json)
    guard answer.status == 201 else { throw Shell.Failure("\(answer)") }
    return answer.text("token")
  }

  /// A device that made its key and request with `openssl` and enrolled with `curl`.
  func enroll(_ name: String, newKey: [String] = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"])
    throws -> Device
  {
    let files = installation.folder.path + "/" + slug + "-" + name
    _ = try Shell.run(
      "openssl",
      ["req", "-new"] + newKey + [
        "-noenc", "-keyout", files + ".key", "-subj", "/CN=" + name, "-out", files + ".csr",
      ])
    let answer = try installation.curl([
      "-H", "Authorization: Bearer \(try enrollmentToken(#"{"identity": "\#(name)"}"#))",
      "-H", "Content-Type: application/x-pem-file", "--data-binary", "@" + files + ".csr",
      installation.admin + "/v1/enroll",
    ])
    guard answer.status == 201 else { throw Shell.Failure("\(answer)") }
    try answer.body.write(toFile: files + ".pem", atomically: true, encoding: .utf8)
    return Device(installation: installation, certificate: files + ".pem", key: files + ".key")
  }
}

/// Someone with a client certificate.
struct Device: Sendable {
  let installation: Installation
  /// What it sends: its certificate first.
  let certificate: String
  let key: String
  /// What comes after that certificate, where anything does.
  var chain: String?

  /// What `openssl s_client` is to show.
  var shown: [String] { ["-cert", certificate, "-key", key] + (chain.map { ["-cert_chain", $0] } ?? []) }

  func call(_ method: String, _ path: String, _ arguments: [String] = []) throws -> Answer {
    try installation.curl(
      ["--cert", certificate, "--key", key, "-X", method] + arguments + [installation.device + path])
  }

  func claim(_ product: String, _ arguments: [String] = []) throws -> Answer {
    try call("PUT", "/v1/seats/\(product)", arguments)
  }
  func check(_ product: String) throws -> Answer { try call("GET", "/v1/seats/\(product)") }
  func release(_ product: String) throws -> Answer { try call("DELETE", "/v1/seats/\(product)") }

  /// The certificate's serial number, as `openssl` writes it.
  var serialNumber: String {
    get throws {
      String(
        try Shell.openssl("x509", "-in", certificate, "-noout", "-serial").split(separator: "=")[1].dropLast()
      )
    }
  }
}
