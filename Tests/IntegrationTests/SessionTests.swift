import Fixtures
import Foundation
import PKIX
import Testing

/// A session, and a connection, made before something ended does not outlive it: refused from the first request on.
struct SessionTests {
  private let server: Installation
  init() throws { server = try Installation.shared.get() }

  private static let versions = ["1.3", "1.2"]

  enum Event: String, CaseIterable {
    case certificateRevoked, identitySuspended, identityDeleted, organizationSuspended, authorityRevoked
    case listUploaded

    var code: String {
      switch self {
      case .certificateRevoked, .listUploaded: "certificate-revoked"
      case .identitySuspended: "identity-suspended"
      case .identityDeleted: "identity-deleted"
      case .organizationSuspended: "organization-suspended"
      case .authorityRevoked: "authority-revoked"
      }
    }
  }

  private func file() -> String { server.folder.path + "/" + UUID().uuidString + ".session" }

  private func happen(_ event: Event, to device: Device, of ca: ExternalCA) throws {
    let path = ca.tenant.path
    let identity = "\(path)/identities/urn:device:laptop"
    let answer =
      switch event {
      case .certificateRevoked:
        try server.call("POST", "\(path)/certificates/\(device.serialNumber)/revoke", "{}")
      case .listUploaded:
        try ca.upload(
          TestRevocationList {
            $0.entries = [
              .init(
                serialNumber: try #require(SerialNumber(hexadecimal: device.serialNumber)),
                revokedAt: TestClock.now - 60)
            ]
          })
      case .identitySuspended: try server.call("PATCH", identity, #"{"status": "suspended"}"#)
      case .identityDeleted: try server.call("DELETE", identity)
      case .organizationSuspended: try server.call("PATCH", path, #"{"status": "suspended"}"#)
      case .authorityRevoked:
        try server.call("PATCH", "\(path)/authorities/\(ca.id)", #"{"status": "revoked"}"#)
      }
    #expect(answer.status < 300, "\(answer)")
  }

  @Test(arguments: versions, Event.allCases)
  func `a session made before its right was lost is not resumed, and a live connection ends`(
    _ version: String, _ event: Event
  ) throws {
    let ca = try ExternalCA(.root(), of: server.makeTenant(authority: false))
    let device = try ca.device("laptop")
    let session = file()
    func visit() throws -> SessionVisit {
      try SessionVisit(device, to: server.device, of: server, version: version, offering: session)
    }
    let first = try SessionVisit(device, to: server.device, of: server, version: version, keeping: session)
    #expect(first.status == 200 && !first.isResumed, "\(first)")
    let before = try visit()
    #expect(before.status == 200 && before.isResumed, "\(before)")
    let connection = try LiveConnection(device)
    #expect(try connection.get("/v1/identity").hasPrefix("HTTP/1.1 200"))

    try happen(event, to: device, of: ca)
    let after = try visit()
    #expect(!after.isResumed && after.code == event.code, "\(after)")
    #expect(after.answer.lowercased().contains("connection: close"))
    #expect(connection.endsWithin(seconds: 5))
  }

  /// Which the second server, where it waits, knows only if it has asked by itself whose the connection is.
  @Test(arguments: [Event.certificateRevoked, .identitySuspended])
  func `a connection that has asked for nothing yet ends with its right`(_ event: Event) throws {
    let other = try FurtherServer(of: server)
    let ca = try ExternalCA(.root(), of: server.makeTenant(authority: false))
    let identity = try ca.authority.leaf { $0.names = [.uri(Array("urn:device:laptop".utf8))] }
    let device = try server.device(identity)
    #expect(try device.call("GET", "/v1/identity").status == 200)
    let silent = try HeldConnection(to: other.port, in: server.clientContext(identity))
    #expect(!silent.endsWithin(seconds: 2))
    try happen(event, to: device, of: ca)
    #expect(silent.endsWithin(seconds: 5))
  }

  @Test func `whoever had no right when it came is told so, however late it asks`() throws {
    let other = try FurtherServer(of: server)
    let ca = try ExternalCA(.root(), of: server.makeTenant(authority: false))
    let device = try ca.device("laptop")
    #expect(try device.call("GET", "/v1/identity").status == 200)
    try happen(.identitySuspended, to: device, of: ca)
    let late = try LiveConnection(device, to: other.device)
    #expect(!late.endsWithin(seconds: 2))
    let answer = try late.get("/v1/identity")
    #expect(answer.hasPrefix("HTTP/1.1 402") && answer.contains("identity-suspended"), "\(answer)")
  }

  @Test(.enabled(if: ServerClock.library != nil), arguments: versions)
  func `a session and a connection end with the certificate`(_ version: String) throws {
    let clock = try ServerClock(in: server)
    let other = try FurtherServer(of: server, environment: clock.environment)
    let tenant = try server.makeTenant(authority: false)
    let ca = try ExternalCA(.root(), of: tenant)
    let device = try ca.device("laptop") { $0.notAfter = TestClock.now + 1800 }
    let lasting = try ca.device("lasting")
    let (session, lastingSession) = (file(), file())
    func visit(_ device: Device, _ session: String) throws -> SessionVisit {
      try SessionVisit(device, to: other.device, of: server, version: version, offering: session)
    }
    for (device, session) in [(device, session), (lasting, lastingSession)] {
      let first = try SessionVisit(device, to: other.device, of: server, version: version, keeping: session)
      #expect(first.status == 200, "\(first)")
      #expect(try visit(device, session).isResumed)
    }
    let idle = try LiveConnection(device, to: other.device)
    let busy = try LiveConnection(device, to: other.device)
    for connection in [idle, busy] {
      #expect(try connection.get("/v1/identity").hasPrefix("HTTP/1.1 200"))
    }

    try clock.advance(bySeconds: 3600)
    // Answered once, unless the server was faster and has ended it already.
    let answer = (try? busy.get("/v1/identity")) ?? ""
    #expect(
      answer.isEmpty || answer.hasPrefix("HTTP/1.1 410") && answer.contains("certificate-expired"),
      "\(answer)")
    #expect(busy.endsWithin(seconds: 5) && idle.endsWithin(seconds: 5))
    let after = try visit(device, session)
    #expect(!after.isResumed && after.status == 410 && after.code == "certificate-expired", "\(after)")
    let still = try visit(lasting, lastingSession)
    #expect(still.isResumed && still.status == 200, "\(still)")

    // Two days: the CA itself has ended, and nothing under it is trusted any more.
    try clock.advance(bySeconds: 2 * 86_400)
    let end = try visit(lasting, lastingSession)
    #expect(!end.isResumed && end.alert == "42", "\(end)")
  }

  @Test(.enabled(if: ServerClock.library != nil), arguments: versions)
  func `a session is resumed for a day and no longer`(_ version: String) throws {
    let clock = try ServerClock(in: server)
    let other = try FurtherServer(of: server, environment: clock.environment)
    let root = try TestAuthority.root { $0.notAfter = TestClock.now + 30 * 86_400 }
    let ca = try ExternalCA(root, of: server.makeTenant(authority: false))
    let device = try ca.device("laptop") { $0.notAfter = TestClock.now + 10 * 86_400 }
    let session = file()
    func visit(keeping: String? = nil, offering: String? = nil) throws -> SessionVisit {
      try SessionVisit(
        device, to: other.device, of: server, version: version, offering: offering, keeping: keeping)
    }
    #expect(try visit(keeping: session).status == 200)
    try clock.advance(bySeconds: 20 * 3600)
    // TLS 1.3 makes a new session of it, which must not live any longer.
    let renewed = file()
    let resumed = try visit(keeping: renewed, offering: session)
    #expect(resumed.isResumed && resumed.status == 200, "\(resumed)")
    try clock.advance(bySeconds: 25 * 3600)
    for session in [session, renewed] where FileManager.default.fileExists(atPath: session) {
      let late = try visit(offering: session)
      #expect(!late.isResumed && late.status == 200, "\(late)")
    }
  }
}
