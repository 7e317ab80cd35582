import Fixtures
import Foundation
import Testing

/// Tokens and keys that several devices come with at once.
struct EnrollmentRaceTests {
  private let server: Installation
  init() throws { server = try Installation.shared.get() }

  private func requests(_ count: Int, _ name: String = "device") throws -> [KeyRequest] {
    try (0..<count).map { _ in try KeyRequest(in: server.folder.path, name) }
  }

  @Test(arguments: [1, 3]) func `a token gives as many certificates as it has uses`(_ uses: Int) async throws
  {
    let tenant = try server.makeTenant()
    let token = try tenant.enrollmentToken(#"{"uses": \#(uses)}"#)
    let requests = try requests(6)
    let answers = try await atOnce(6) { try server.enroll(requests[$0], token) }
    #expect(answers.filter { $0.status == 201 }.count == uses, "\(answers)")
    #expect(answers.filter { $0.status == 401 }.count == 6 - uses, "\(answers)")
    let rows = try server.sql(
      """
      SELECT e.used || ' ' || (SELECT count(*) FROM certificate c WHERE c.enrollment_id = e.id) || ' '
        || (SELECT count(*) FROM identity i WHERE i.organization_id = e.organization_id)
      FROM enrollment e JOIN organization o ON o.id = e.organization_id WHERE o.slug = '\(tenant.slug)'
      """)
    #expect(rows == "\(uses) \(uses) \(uses)")
  }

  @Test func `one key that comes often at once gets one certificate`() async throws {
    let tenant = try server.makeTenant()
    let token = try tenant.enrollmentToken()
    let request = try KeyRequest(in: server.folder.path)
    let answers = try await atOnce(4) { _ in try server.enroll(request, token) }
    #expect(answers.map(\.status) == [201, 201, 201, 201], "\(answers)")
    #expect(Set(answers.map(\.body)).count == 1)
  }

  @Test func `a lost answer is given again although another device has used the token since`() throws {
    let tenant = try server.makeTenant()
    let token = try tenant.enrollmentToken(#"{"uses": 2}"#)
    let (one, other) = (try requests(1)[0], try requests(1)[0])
    let first = try server.enroll(one, token)
    #expect(first.status == 201)
    #expect(try server.enroll(other, token).status == 201)
    #expect(try server.enroll(one, token).body == first.body)
    #expect(try server.enroll(requests(1)[0], token).text("code") == "enrollment-invalid")
  }

  @Test func `of two identities that come with one key at once one gets it`() async throws {
    let tenant = try server.makeTenant()
    let tokens = try ["one", "two", "three"].map {
      try tenant.enrollmentToken(#"{"identity": "\#($0)"}"#)
    }
    let request = try KeyRequest(in: server.folder.path)
    let answers = try await atOnce(3) { try server.enroll(request, tokens[$0]) }
    #expect(answers.map(\.status).sorted() == [201, 409, 409], "\(answers)")
    #expect(answers.filter { $0.text("code") == "key-in-use" }.count == 2, "\(answers)")
  }

  @Test func `a wished name that two devices come with at once is the name of one`() async throws {
    let tenant = try server.makeTenant()
    let tokens = [try tenant.enrollmentToken(), try tenant.enrollmentToken()]
    let requests = try requests(2, "laptop")
    let answers = try await atOnce(2) { try server.enroll(requests[$0], tokens[$0]) }
    #expect(answers.map(\.status) == [201, 201], "\(answers)")
    let names = try server.sql(
      """
      SELECT count(*) FILTER (WHERE i.name = 'laptop') || ' ' || count(*) FROM identity i
      JOIN organization o ON o.id = i.organization_id WHERE o.slug = '\(tenant.slug)'
      """)
    #expect(names == "1 2")
  }
}
