import Fixtures
import Foundation
import Testing

/// A host name of an organization's own, over real TLS: what the handshake asked for, the certificate and the Host agree.
struct HostNameTests {
  private let server: Installation
  private let one: Device, other: Device
  private let host: String
  private let tenant: Tenant

  init() throws {
    server = try Installation.shared.get()
    tenant = try server.makeTenant()
    one = try tenant.enroll("laptop")
    other = try server.makeTenant().enroll("laptop")
    host = tenant.slug + ".devices.example"
    #expect(try server.call("PATCH", tenant.path, #"{"hostname": "\#(host)"}"#).status == 200)
  }

  private static let versions = ["1.3", "1.2"]

  private func visit(
    _ device: Device, _ version: String, name: String?, host: String? = nil, offering: String? = nil,
    keeping: String? = nil
  ) throws -> SessionVisit {
    try SessionVisit(
      device, to: server.device, of: server, version: version, name: name, host: host, offering: offering,
      keeping: keeping)
  }

  @Test(arguments: versions) func `it serves its own certificates and no others`(_ version: String) throws {
    #expect(try visit(one, version, name: host).status == 200)
    #expect(try visit(one, version, name: host.uppercased(), host: host).status == 200)
    #expect(try visit(other, version, name: host).alert == "48")
    for device in [one, other] {
      #expect(try visit(device, version, name: "localhost").status == 200)
      #expect(try visit(device, version, name: nil).status == 200)
    }
  }

  @Test(arguments: versions) func `a Host that the handshake did not ask for is misdirected`(
    _ version: String
  ) throws {
    let cases: [(Device, String?, String)] = [
      (one, "localhost", host), (other, "localhost", host), (one, host, "localhost"),
      // Without a name in the handshake there is no way around it.
      (one, nil, host), (other, nil, host), (other, nil, host + ":8443"), (other, nil, host.uppercased()),
    ]
    for (device, name, host) in cases {
      let answer = try visit(device, version, name: name, host: host)
      #expect(
        answer.status == 421 && answer.code == "misdirected-request", "\(name ?? "-") \(host): \(answer)")
    }
  }

  @Test(arguments: versions) func `a session of one name is not resumed under another`(_ version: String)
    throws
  {
    let names: [String?] = [host, "localhost", nil]
    for name in names {
      let session = server.folder.path + "/" + UUID().uuidString + ".session"
      #expect(try visit(one, version, name: name, keeping: session).status == 200)
      for next in names {
        let answer = try visit(one, version, name: next, offering: session)
        #expect(answer.isResumed == (name == next) && answer.status == 200, "\(name ?? "-") → \(next ?? "-")")
      }
    }
    // Another's session, with another's certificate.
    let session = server.folder.path + "/" + UUID().uuidString + ".session"
    #expect(try visit(other, version, name: "localhost", keeping: session).status == 200)
    #expect(try visit(other, version, name: host, offering: session).alert == "48")
  }

  @Test func `a connection under a name that becomes another organization's is misdirected from then on`()
    throws
  {
    let session = server.folder.path + "/" + UUID().uuidString + ".session"
    #expect(try visit(one, "1.3", name: host, keeping: session).status == 200)
    #expect(try server.call("PATCH", tenant.path, #"{"hostname": null}"#).status == 200)
    #expect(try visit(other, "1.3", name: host).status == 200, "now it is nobody's")
    let taker = try server.makeTenant()
    #expect(try server.call("PATCH", taker.path, #"{"hostname": "\#(host)"}"#).status == 200)
    let late = try visit(one, "1.3", name: host, offering: session)
    #expect(!late.isResumed && late.alert == "48", "\(late)")
    #expect(try visit(taker.enroll("laptop"), "1.3", name: host).status == 200)
  }
}
