import Fixtures
import Foundation
import PKIX
import Reactor
import Testing

/// A root's list that names an intermediate reaches every device below it, on every server.
struct RevokedIntermediateTests {
  private let server: Installation
  init() throws { server = try Installation.shared.get() }

  /// Whether the server knows the intermediate, or the device sends it.
  @Test(arguments: ["1.3", "1.2"], [true, false])
  func `devices below a revoked intermediate are refused on every server`(_ version: String, _ isKnown: Bool)
    throws
  {
    let other = try FurtherServer(of: server)
    let tenant = try server.makeTenant(authority: false)
    let root = try TestAuthority.root("Own Root")
    let (middle, sound) = (try root.intermediate("Lost CA"), try root.intermediate("Sound CA"))
    let own = try ExternalCA(root, of: tenant)
    if isKnown { try know([middle, sound], of: own) }
    let device = try self.device("laptop", below: middle, sending: !isKnown)
    let late = try self.device("late", below: middle, sending: !isKnown)
    let beside = try self.device("beside", below: sound, sending: !isKnown)
    let direct = try own.device("direct")

    func visit(_ device: Device, keeping: String? = nil, offering: String? = nil) throws -> SessionVisit {
      try SessionVisit(
        device, to: other.device, of: server, version: version, offering: offering, keeping: keeping)
    }
    let (session, soundSession) = (file(), file())
    for (device, session) in [(device, session), (beside, soundSession)] {
      #expect(try visit(device, keeping: session).status == 200)
      #expect(try visit(device, offering: session).isResumed)
    }
    let (here, there, busy) = (
      try LiveConnection(device), try LiveConnection(device, to: other.device),
      try LiveConnection(device, to: other.device)
    )
    for connection in [here, there, busy] {
      #expect(try connection.get("/v1/identity").hasPrefix("HTTP/1.1 200"))
    }
    let steady = try LiveConnection(beside, to: other.device)
    #expect(try steady.get("/v1/identity").hasPrefix("HTTP/1.1 200"))

    if isKnown {
      // The intermediate's own list names the same number, which means somebody else.
      #expect(try upload(revoking: middle.certificate, by: middle, to: own).status == 200)
      #expect(try busy.get("/v1/identity").hasPrefix("HTTP/1.1 200"))
    }
    let start = MonotonicInstant.now
    #expect(try upload(revoking: middle.certificate, by: root, to: own).status == 200)
    #expect(there.endsWithin(seconds: 20) && here.endsWithin(seconds: 20))
    let time = start.duration(to: .now)
    print("a list that names an intermediate: idle connections of both servers ended after", time)
    #expect(time < .seconds(1))
    let answer = (try? busy.get("/v1/identity")) ?? ""
    #expect(answer.isEmpty || answer.contains("certificate-revoked"), "\(answer)")
    #expect(busy.endsWithin(seconds: 5))

    let resumed = try visit(device, offering: session)
    #expect(!resumed.isResumed && resumed.code == "certificate-revoked", "\(resumed)")
    for device in [device, late] {
      for answer in [try device.call("GET", "/v1/identity"), try other.call(device, "GET", "/v1/identity")] {
        #expect(answer.status == 410 && answer.text("code") == "certificate-revoked", "\(answer)")
      }
    }
    #expect(!(try server.call("GET", tenant.path + "/identities").body.contains("late")))
    let fresh = try FurtherServer(of: server)
    #expect(try fresh.call(device, "GET", "/v1/identity").text("code") == "certificate-revoked")
    for device in [beside, direct] { #expect(try fresh.call(device, "GET", "/v1/identity").status == 200) }
    #expect(try steady.get("/v1/identity").hasPrefix("HTTP/1.1 200"))
    #expect(try visit(beside, offering: soundSession).isResumed)

    // What is on hold no longer is good again.
    #expect(try upload(revoking: nil, by: root, to: own, number: 2).status == 200)
    for device in [device, late] { #expect(try other.call(device, "GET", "/v1/identity").status == 200) }
  }

  private func file() -> String { server.folder.path + "/" + UUID().uuidString + ".session" }

  private func know(_ intermediates: [TestAuthority], of own: ExternalCA) throws {
    let answer = try server.call(
      "PATCH", own.tenant.path + "/authorities/\(own.id)",
      ExternalCA.json(["intermediates": intermediates.map(\.certificate.pem)]))
    try #require(answer.status == 200, "\(answer)")
  }

  private func device(_ name: String, below issuer: TestAuthority, sending: Bool) throws -> Device {
    var device = try server.device(
      try issuer.leaf(name) { $0.names = [.uri(Array("urn:device:\(name)".utf8))] })
    if sending {
      let chain = try String(contentsOfFile: device.certificate, encoding: .utf8) + issuer.certificate.pem
      try chain.write(toFile: device.certificate, atomically: true, encoding: .utf8)
      device.chain = try server.folder.write(issuer.certificate.pem, to: UUID().uuidString + ".pem")
    }
    return device
  }

  private func upload(
    revoking certificate: Certificate?, by issuer: TestAuthority, to own: ExternalCA, number: UInt8 = 1
  ) throws -> Answer {
    var list = certificate.map { TestRevocationList(revoking: $0) } ?? TestRevocationList()
    list.number = [number]
    return try own.upload(list, signedBy: issuer)
  }
}
