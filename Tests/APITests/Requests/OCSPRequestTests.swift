import Cryptography
import Fixtures
import HTTP
import Issuance
import Licensing
import PKIX
import Testing

@testable import API

extension OverTheDatabase {
  @Suite struct OCSPRequestTests {
    @Test(arguments: ["-sha1", "-sha256"], ["-nonce", "-no_nonce"])
    func `openssl believes the answer: good, revoked, and never good for what was not issued`(
      _ digest: String, _ nonce: String
    ) async throws {
      try await Signatory.with { signatory in
        try await signatory.issue("4001")
        try await signatory.issue("4002")
        try await signatory.revoke("4002", "superseded")
        let asked = [nonce] + ["0x4001", "0x4002", "0x4003"].flatMap { [digest, "-serial", $0] }
        let answer = try await signatory.ask(asked)
        #expect(answer.header(.contentType) == "application/ocsp-response")
        let text = try signatory.read(answer, asked)
        #expect(text.contains("0x4001: good"), "\(text)")
        #expect(text.contains("0x4002: revoked") && text.contains("Reason: superseded"), "\(text)")
        #expect(text.contains("0x4003: revoked") && text.contains("Jan  1 00:00:00 1970 GMT"), "\(text)")
        #expect(answer.header(.cacheControl).hasPrefix("public, max-age=300") == (nonce == "-no_nonce"))
      }
    }

    @Test func `an answer without a nonce is signed once, until the status changes`() async throws {
      let clock = HandClock()
      try await Signatory.with(clock: clock) { signatory in
        try await signatory.issue("4001")
        let asked = ["-no_nonce", "-serial", "0x4001"]
        let first = try await signatory.ask(asked)
        #expect(try await signatory.ask(asked).response.body == first.response.body)
        let target = signatory.path + "/ocsp/" + Base64.encode(try signatory.request(asked))
        #expect(try await signatory.get(target).response.body == first.response.body)
        let known = try await signatory.get(target, headers: [HeaderField(.ifNoneMatch, first.entityTag)])
        #expect(known.status == 304 && known.header(.cacheControl).contains("max-age"))
        try await signatory.revoke("4001")
        #expect(try signatory.read(await signatory.ask(asked), asked).contains("0x4001: revoked"))
        let second = try await signatory.ask(asked)
        clock.advance(1800)
        #expect(try await signatory.ask(asked).response.body != second.response.body, "half its life is over")
        #expect(try await signatory.world.events().filter { $0 == "responder.certified" }.count == 1)
      }
    }

    @Test func `GET takes base64 escaped, half escaped and raw, with all its slashes`() async throws {
      try await Signatory.with { signatory in
        let asked = ["-no_nonce", "-sha256", "-serial", "0x4001"]
        // A hash is as it is; among a few issuers' there is one whose base64 has every odd character.
        let raw = Base64.encode(try signatory.request(asked))
        let escaped = raw.replacing("+", with: "%2B").replacing("/", with: "%2F").replacing("=", with: "%3D")
        for text in [raw, escaped, raw.replacing("=", with: "%3d")] {
          let answer = try await signatory.get(signatory.path + "/ocsp/" + text).expect(200)
          #expect(try signatory.read(answer, asked).contains("0x4001: revoked"))
        }
      }
    }

    @Test func `what is no request, and whom it is not about, is told in OCSP's words`() async throws {
      try await Signatory.with { signatory in
        func status(_ answer: Answer) throws -> UInt8? {
          #expect(answer.header(.cacheControl) == "no-store")
          return try answer.expect(200).response.body == [0x30, 3, 0x0a, 1] + answer.response.body.suffix(1)
            ? answer.response.body.last : nil
        }
        let type = [HeaderField(.contentType, "application/ocsp-request")]
        let post = signatory.path + "/ocsp"
        for body in [[], [0x30], [UInt8](repeating: 0x30, count: 20_000)] as [[UInt8]] {
          #expect(try status(await signatory.get(post, method: "POST", headers: type, body: body)) == 1)
        }
        #expect(try status(await signatory.get(post + "/no*base64")) == 1)
        let other = try TestAuthority.root("Somebody else")
        let file = try signatory.folder.write(other.certificate.pem, to: "other.pem")
        let foreign = try signatory.request(["-serial", "1"], issuer: file)
        #expect(try status(await signatory.get(post, method: "POST", headers: type, body: foreign)) == 6)
        let own = try signatory.request(["-serial", "1"])
        let unknown = "/v1/authorities/01900000-0000-7000-8000-000000000001/ocsp"
        #expect(try status(await signatory.get(unknown, method: "POST", headers: type, body: own)) == 6)
        #expect(
          try await signatory.get(
            post, method: "POST", headers: [HeaderField(.contentType, "text/plain")], body: own
          ).status == 415)
        #expect(
          try await signatory.get("/v1/authorities/nonsense/ocsp", method: "POST", headers: type, body: own)
            .status == 404)
      }
    }

    @Test func `when the database is away the answer is to try later`() async throws {
      let application = try Application<Visitor>(surfaces: [.public], services: .forTests()) { visitor, _ in
        visitor.caller
      }
      let folder = try TemporaryFolder()
      let anchor = try folder.write(TestAuthority.root().certificate.pem, to: "ca.pem")
      try OpenSSLTool.run(["ocsp", "-issuer", anchor, "-serial", "1", "-reqout", folder.path + "/request"])
      let answer = await application.respond(
        to: try Request(
          "POST", "/v1/authorities/01900000-0000-7000-8000-000000000001/ocsp",
          headers: [HeaderField(.contentType, "application/ocsp-request")], body: folder.read("request")),
        from: nil)
      #expect(answer.status == 200 && answer.body == [0x30, 3, 0x0a, 1, 3])
    }

    @Test func `many who ask at once get one responder`() async throws {
      try await Signatory.with { signatory in
        try await signatory.issue("4001")
        let (desk, id) = (signatory.world.services.revoking.ocsp, signatory.authority.record.id)
        let request = try signatory.request(["-serial", "0x4001"])
        await withTaskGroup(of: Void.self) { crowd in
          for _ in 0..<20 { crowd.addTask { _ = await desk.answer(request, under: id) } }
        }
        #expect(try await signatory.world.events().filter { $0 == "responder.certified" }.count == 1)
      }
    }
  }
}

extension Signatory {
  /// A request as `openssl ocsp` makes it.
  fileprivate func request(_ arguments: [String], issuer: String? = nil) throws -> [UInt8] {
    try OpenSSLTool.run(
      ["ocsp", "-issuer", issuer ?? anchor] + arguments + ["-reqout", folder.path + "/request"])
    return try folder.read("request")
  }

  /// Sends one by POST.
  fileprivate func ask(_ arguments: [String]) async throws -> Answer {
    try await get(
      path + "/ocsp", method: "POST", headers: [HeaderField(.contentType, "application/ocsp-request")],
      body: request(arguments)
    ).expect(200)
  }

  /// What `openssl ocsp` makes of an answer to the last request.
  fileprivate func read(_ answer: Answer, _ arguments: [String]) throws -> String {
    let file = try folder.write(answer.response.body, to: "answer")
    let result = try OpenSSLTool.attempt(
      ["ocsp", "-issuer", anchor] + arguments + [
        // The request that was read has its nonce.
        "-no_nonce", "-reqin", folder.path + "/request", "-respin", file, "-CAfile", anchor,
      ])
    #expect(
      result.errors.contains("Response verify OK") && !result.errors.contains("WARNING"), "\(result.errors)")
    return String(decoding: result.output, as: UTF8.self)
  }
}
