import Cryptography
import Fixtures
import Foundation
import PKIX
import Reactor

/// A CA of an organization's own, registered by its proof.
struct ExternalCA: Sendable {
  let tenant: Tenant
  let authority: TestAuthority
  let id: String
  /// The certificate that proved the key.
  let proof: TestIdentity

  /// Registers `authority` with the tenant, and proves its key unless it is to stay pending.
  init(
    _ authority: TestAuthority, of tenant: Tenant, autoProvision: Bool = true,
    mapping: String = #"[{"field": "san-uri"}]"#, isProven: Bool = true
  ) throws {
    self.tenant = tenant
    self.authority = authority
    let server = tenant.installation
    let registered = try server.call(
      "POST", tenant.path + "/authorities",
      Self.json([
        "kind": "external", "certificate": authority.certificate.pem, "autoProvision": autoProvision,
        "mapping": try JSONSerialization.jsonObject(with: Data(mapping.utf8)),
      ]))
    guard registered.status == 201, registered.text("status") == "pending" else {
      throw Shell.Failure("\(registered)")
    }
    id = registered.text("id")
    proof = try authority.proof(challenge: registered.text("challenge"))
    guard isProven else { return }
    let proven = try server.call(
      "POST", tenant.path + "/authorities/\(id)/proof", Self.json(["certificate": proof.certificate.pem]))
    guard proven.status == 200, proven.text("status") == "active" else { throw Shell.Failure("\(proven)") }
  }

  static func json(_ object: [String: Any]) throws -> String {
    String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
  }

  /// Uploads a list, signed by this CA unless an intermediate of it signs.
  func upload(_ list: TestRevocationList, signedBy issuer: TestAuthority? = nil) throws -> Answer {
    let server = tenant.installation
    let file = try server.folder.write(
      list.signed(by: issuer ?? authority), to: UUID().uuidString + ".crl")
    return try server.curl([
      "-X", "PUT", "-H", "Authorization: Bearer \(server.operatorToken)", "-H",
      "Content-Type: application/pkix-crl", "--data-binary", "@" + file,
      server.admin + tenant.path + "/authorities/\(id)/crl",
    ])
  }

  /// Returns when the server there has heard of this CA from the one that was told.
  func waitUntilKnown(at deviceURL: String) throws {
    let scout = try device("scout")
    let deadline = MonotonicInstant.now.advanced(by: .seconds(60))
    while true {
      let answer = try tenant.installation.curl(
        ["--cert", scout.certificate, "--key", scout.key, deviceURL + "/v1/identity"])
      if answer.failure == nil { return }
      guard MonotonicInstant.now.duration(to: deadline) > .zero else { throw Shell.Failure("\(answer)") }
    }
  }

  /// A device with a certificate of this CA, named by its URI unless `change` says otherwise.
  func device(_ name: String, _ change: (inout TestCertificate) -> Void = { _ in }) throws -> Device {
    try tenant.installation.device(
      try authority.leaf(name) { certificate in
        certificate.names = [.uri(Array("urn:device:\(name)".utf8))]
        change(&certificate)
      })
  }
}

extension Installation {
  /// Writes a certificate and its key where `curl` and `openssl` find them.
  func device(_ identity: TestIdentity) throws -> Device {
    let name = UUID().uuidString
    let certificate = try folder.write(identity.certificate.pem, to: name + ".pem")
    let key = try folder.write(String(decoding: identity.key.secretPEM(), as: UTF8.self), to: name + ".key")
    return Device(installation: self, certificate: certificate, key: key)
  }
}
