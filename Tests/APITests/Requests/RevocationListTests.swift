import Fixtures
import HTTP
import Issuance
import Licensing
import Postgres
import Store
import Testing

@testable import API

extension OverTheDatabase {
  @Suite struct RevocationListTests {
    @Test func `the list is there at once, and names a revoked certificate after the next round`()
      async throws
    {
      try await Signatory.with { signatory in
        try await signatory.issue("4001")
        try await signatory.issue("4002")
        #expect(try await signatory.list().contains("No Revoked Certificates"))
        #expect(try await signatory.publish().made == 0, "nothing has changed")
        try await signatory.revoke("4001")
        try await signatory.revoke("4002", "unspecified")
        #expect(try await signatory.publish().made == 1)
        let list = try await signatory.list()
        #expect(list.contains("Serial Number: 4001") && list.contains("Key Compromise"))
        #expect(list.contains("Serial Number: 4002") && !list.contains("Unspecified"))
        #expect(list.contains("X509v3 CRL Number: \n                2"))
        #expect(try await !signatory.publish().isUnfinished)
      }
    }

    @Test func `two lists do not follow each other within two seconds, and the second is not forgotten`()
      async throws
    {
      try await Signatory.with { signatory in
        try await signatory.issue("4001")
        #expect(try await signatory.publisher.publish().made == 1)
        try await signatory.revoke("4001")
        let early = try await signatory.publisher.publish()
        #expect(early.made == 0 && early.isUnfinished)
        #expect(try await signatory.publish().made == 1)
      }
    }

    @Test func `of many servers at once one makes the list`() async throws {
      try await Signatory.with { signatory in
        try await signatory.publisher.publish()
        try await signatory.issue("4001")
        try await signatory.revoke("4001")
        try await signatory.age()
        let publisher = signatory.publisher
        let made = try await withThrowingTaskGroup(of: Int.self) { servers in
          for _ in 0..<8 { servers.addTask { try await publisher.publish().made } }
          return try await servers.reduce(0, +)
        }
        #expect(made == 1)
        #expect(try await signatory.list().contains("X509v3 CRL Number: \n                2"))
      }
    }

    @Test func `a revocation that commits while the list is made comes into the next one`() async throws {
      try await Signatory.with { signatory in
        try await signatory.issue("4001")
        try await signatory.issue("4002")
        try await signatory.publisher.publish()
        let (units, organization) = (signatory.world.services.units, signatory.authority.organization)
        try await units.transact { unit in
          let late = try await unit.certificates(.serialNumber("4001"), of: organization, locked: true)
          try await unit.revoke(late[0].key, organization: organization, reason: .keyCompromise)
          try await signatory.revoke("4002")
          #expect(try await signatory.publish().made == 1)
          #expect(try await !signatory.list().contains("4001"))
          #expect(try await signatory.publish().made == 0, "what is not committed makes no work")
        }
        #expect(try await signatory.publish().made == 1)
        #expect(try await signatory.list().contains("4001"))
        #expect(try await signatory.publish().made == 0)
      }
    }

    @Test func `a list is renewed when half its life is over, and never published past its end`() async throws
    {
      let clock = HandClock()
      try await Signatory.with(clock: clock) { signatory in
        try await signatory.publisher.publish()
        clock.advance(43_000 - 300)
        #expect(try await signatory.publish().made == 0)
        clock.advance(600)
        #expect(try await signatory.publish().made == 1)
        clock.advance(90_000)
        try await signatory.age()
        let late = try await signatory.get(signatory.path + "/crl").expect(200)
        #expect(late.header(.cacheControl).contains("max-age=300"), "it was made anew for whoever asked")
      }
    }

    @Test func `an expired certificate leaves the list after one more list`() async throws {
      let clock = HandClock()
      try await Signatory.with(clock: clock) { signatory in
        try await signatory.issue("4001", notAfter: clock.now() + 3600)
        try await signatory.revoke("4001")
        for (hours, isNamed) in [(0, true), (14, true), (13, false)] as [(Int64, Bool)] {
          clock.advance(hours * 3600)
          #expect(try await signatory.publish().made == 1)
          #expect(try await signatory.list().contains("4001") == isNamed, "after \(hours)")
        }
      }
    }

    @Test func `a client that has the list is told so in a few bytes`() async throws {
      try await Signatory.with { signatory in
        let first = try await signatory.get(signatory.path + "/crl").expect(200)
        #expect(first.header(.contentType) == "application/pkix-crl" && first.response.body.first == 0x30)
        #expect(first.header(.cacheControl) == "public, max-age=300, no-transform, must-revalidate")
        #expect(first.header(.lastModified).hasSuffix(" GMT") && first.header(.expires).hasSuffix(" GMT"))
        let tag = first.entityTag
        for known in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
          let again = try await signatory.get(
            signatory.path + "/crl", headers: [HeaderField(.ifNoneMatch, known)])
          #expect(again.status == 304 && again.response.body.isEmpty && again.entityTag == tag)
        }
        #expect(try await signatory.get(signatory.path + "/crl", method: "HEAD").expect(200).entityTag == tag)
        try await signatory.issue("4001")
        try await signatory.revoke("4001")
        try await signatory.publish()
        let news = try await signatory.get(signatory.path + "/crl", headers: [HeaderField(.ifNoneMatch, tag)])
        #expect(news.status == 200 && news.entityTag != tag)
      }
    }

    @Test func `retired and revoked authorities keep their lists, others have none`() async throws {
      try await Signatory.with { signatory in
        let item = "/v1/organizations/acme/authorities/\(signatory.authority.record.id)"
        for status in ["retired", "revoked"] {
          try await signatory.world.call("PATCH", item, #"{"status":"\#(status)"}"#).expect(200)
          #expect(try await signatory.get(signatory.path + "/crl").status == 200)
        }
        let external = try await signatory.world.authority(of: .example, seed: 9)
        #expect(try await signatory.publisher.publish().failures.isEmpty)
        for path in ["/v1/authorities/\(external.record.id)/crl", "/v1/authorities/nonsense/crl"] {
          #expect(try await signatory.get(path).status == 404)
        }
        try await signatory.world.call("DELETE", item).expect(204)
        #expect(try await signatory.get(signatory.path + "/crl").status == 404)
      }
    }

    @Test func `a list's number only grows, whoever writes`() async throws {
      try await Signatory.with { signatory in
        try await signatory.publisher.publish()
        await #expect(throws: PostgresError.self) {
          try await signatory.world.client.session {
            try await $0.simple("UPDATE revocation_list SET der = der, number = '\\x01'")
          }
        }
      }
    }

    @Test func `without the database there is neither a list nor an answer, and both say so`() async throws {
      let application = try Application<Visitor>(surfaces: [.public], services: .forTests()) { visitor, _ in
        visitor.caller
      }
      let path = "/v1/authorities/01900000-0000-7000-8000-000000000001"
      #expect(await application.respond(to: try Request("GET", path + "/crl"), from: nil).status == 503)
    }
  }
}
