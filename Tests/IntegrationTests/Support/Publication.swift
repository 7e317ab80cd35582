import Fixtures
import Foundation

/// What a tenant's authority publishes, in files as other programs take them.
struct Publication {
  let tenant: Tenant
  let authority: String
  private let files: String
  private let server: String

  /// As a server publishes it whose public listener is at `server`; nil: the installation's own.
  init(of tenant: Tenant, at server: String? = nil) throws {
    self.tenant = tenant
    self.server = server ?? tenant.installation.ops
    let list = try tenant.installation.call("GET", tenant.path + "/authorities")
    guard let data = list["data"] as? [[String: Any]], let id = data.first?["id"] as? String else {
      throw Shell.Failure("\(list)")
    }
    authority = id
    files = tenant.installation.folder.path + "/" + tenant.slug
  }

  private var base: String { server + "/v1/authorities/" + authority }
  var ocsp: String { base + "/ocsp" }

  /// The CA's certificate, PEM.
  func anchor() throws -> String { try fetch("/certificate", to: "-ca.pem") }

  /// The list, DER and PEM.
  func list() throws -> (der: String, pem: String) {
    let der = try fetch("/crl", to: ".crl")
    try Shell.openssl("crl", "-inform", "DER", "-in", der, "-out", der + ".pem")
    return (der, der + ".pem")
  }

  private func fetch(_ path: String, to name: String) throws -> String {
    let done = try Shell.run("curl", ["-sSf", "--max-time", "30", "-o", files + name, base + path])
    guard done.status == 0 else { throw Shell.Failure(done.errors) }
    return files + name
  }

  /// The list as soon as it names the serial number; nil when it does not within five seconds.
  func list(naming serial: String) throws -> (der: String, pem: String)? {
    let end = Date().addingTimeInterval(5)
    while Date() < end {
      // Until the first list is made, or while another server makes one, the answer may be 503.
      guard let list = try? list() else { continue }
      if try Shell.openssl("crl", "-in", list.pem, "-noout", "-text").contains(serial) { return list }
    }
    return nil
  }
}
