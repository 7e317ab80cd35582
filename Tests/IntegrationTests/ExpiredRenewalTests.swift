import Fixtures
import Foundation
import Testing

/// A certificate that has ended renews itself for a while, and does nothing else.
@Suite(.enabled(if: ServerClock.library != nil))
struct ExpiredRenewalTests {
  @Test(arguments: ["1.2", "1.3"])
  func `an expired certificate renews while it may, over TLS`(_ version: String) throws {
    // Of its own: a server of another time signs lists for all organizations.
    let server = try Installation()
    let clock = try ServerClock(in: server)
    let other = try FurtherServer(of: server, environment: clock.environment)
    let tenant = try server.makeTenant()
    let terms = #"{"renewAfterExpirySeconds": 7200, "certificates": {"validitySeconds": 3600}}"#
    let set = try server.call("PATCH", tenant.path, terms)
    #expect(set.status == 200, "\(set)")
    let (device, revoked, late) = (
      try tenant.enroll("laptop"), try tenant.enroll("revoked"), try tenant.enroll("late")
    )
    let protocols = version == "1.2" ? ["--tls-max", "1.2"] : ["--tlsv1.3"]
    func call(_ device: Device, _ method: String, _ path: String, _ arguments: [String] = []) throws -> Answer
    {
      try other.call(device, method, path, protocols + arguments)
    }
    func renew(_ device: Device, _ request: KeyRequest) throws -> Answer {
      try call(
        device, "POST", "/v1/certificates",
        ["-H", "Content-Type: application/x-pem-file", "--data-binary", "@" + request.request])
    }
    let seat = "/v1/seats/\(tenant.product)"
    #expect(try call(device, "PUT", seat).status == 201)
    let serial = try revoked.serialNumber
    #expect(try server.call("POST", "\(tenant.path)/certificates/\(serial)/revoke", "{}").status == 200)

    try clock.advance(bySeconds: 2 * 3600)
    for (method, path) in [
      ("GET", "/v1/identity"), ("GET", seat), ("PUT", seat), ("GET", "/v1/certificates"),
    ] {
      let refused = try call(device, method, path)
      #expect(refused.status == 410 && refused.text("code") == "certificate-expired", "\(refused)")
      #expect(refused.headers["connection"] == "close")
    }
    let request = try KeyRequest(in: server.folder.path)
    let void = try renew(revoked, request)
    #expect(void.status == 410 && void.text("code") == "certificate-revoked", "\(void)")
    let renewed = try server.device(renew(device, request), request)
    #expect(try call(renewed, "GET", seat).text("identity") == "laptop")
    // The successor was used: now the old one renews no more.
    #expect(try renew(device, request).text("code") == "certificate-superseded")

    try clock.advance(bySeconds: 4 * 3600)
    let over = try renew(late, KeyRequest(in: server.folder.path))
    #expect(over.status == 410 && over.text("code") == "certificate-expired", "\(over)")
  }
}
