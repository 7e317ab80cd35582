import Directory
import HTTP
import Issuance
import JSON
import Licensing
import PKIX

/// A device gets its first certificate by an enrollment token (api.md, "Enrollment").
enum EnrollRoute {
  static let all: [Route] = [
    Route(.post, "/v1/enroll", on: [.enroll], for: .enrollmentToken, enroll),
    Route(.post, "/v1/certificates", on: [.device], for: .device, renew),
  ]

  private static func enroll(_ exchange: Exchange) async throws -> Response {
    guard let text = exchange.request.bearerToken, let token = BearerToken(text, of: [.enrollment]) else {
      throw Problem(issuance: .enrollmentInvalid)
    }
    return try await answer(exchange) {
      try await exchange.services.issuing.enroller.enroll(
        tokenHash: token.hash, request: exchange.certificationRequest())
    }
  }

  private static func renew(_ exchange: Exchange) async throws -> Response {
    let device = try exchange.device()
    guard device.peer.authority.kind != .external else { throw Problem(.authorityExternal) }
    return try await answer(exchange) {
      try await exchange.services.issuing.renewer.renew(
        exchange.certificationRequest(), certificate: device.certificate, identity: device.identity,
        organization: device.slug)
    }
  }

  private static func answer(_ exchange: Exchange, _ issue: () async throws -> Issued) async throws
    -> Response
  {
    do {
      return exchange.response(to: try await issue())
    } catch let failure as IssuanceFailure {
      throw Problem(issuance: failure)
    }
  }
}

extension Exchange {
  /// The PKCS#10 request of the body, whatever it is wrapped in; its encoding is told by its bytes.
  fileprivate func certificationRequest() throws -> [UInt8] {
    switch request.mediaType {
    case "application/json":
      return Array(try body { $0.required("csr", .text(1...65_536)) }.utf8)
    case _:
      try requireMediaType("application/pkcs10", "application/x-pem-file", "text/plain", "application/json")
      return request.body
    }
  }

  fileprivate func response(to issued: Issued) -> Response {
    let chain = ([issued.certificate] + issued.issuers).map(\.pem).joined()
    guard request.header(.accept)?.contains("application/json") == true else {
      return Response(
        201, headers: [HeaderField(.contentType, "application/pem-certificate-chain")],
        body: Array(chain.utf8))
    }
    return .json(201) { writer in
      writer.object { writer in
        writer.member("certificate", issued.certificate.pem)
        writer.member("chain", chain)
        writer.member("identity", issued.identity.name.description)
        writer.member("organization", issued.organization.description)
        writer.member("deviceURL", services.deviceURL)
        writer.member("notAfter", Instant(seconds: issued.certificate.notAfter))
        writer.member("renewAfter", issued.renewAfter)
      }
    }
  }
}

extension Problem {
  /// Labeled, and with the code's type written out: both enumerations have cases of the same names.
  init(issuance failure: IssuanceFailure) {
    let code: ProblemCode
    var detail: String?
    switch failure {
    case .enrollmentInvalid: code = .enrollmentInvalid
    case .keyInUse: code = .keyInUse
    case .noIssuingAuthority: code = .noIssuingAuthority
    case .authorityExternal: code = .authorityExternal
    case .identitySuspended: code = .identitySuspended
    case .organizationSuspended: code = .organizationSuspended
    case .certificateUnknown: code = .identityUnknown
    case .certificateRevoked: code = .certificateRevoked
    case .superseded: code = .certificateSuperseded
    case .authorityRevoked: code = .authorityRevoked
    case .keyRefused(let reason):
      code = .csrInvalid
      detail = reason
    case .request(let error):
      code = .csrInvalid
      detail = error.description
    case .nameNotIssuable(let name):
      code = .csrInvalid
      detail =
        "The identity's name “\(name)” cannot stand in a certificate: use letters, digits, dot, underscore and hyphen, at most 128."
    case .seat(let refusal):
      self.init(refusal)
      return
    }
    self.init(
      code, detail, headers: code == .enrollmentInvalid ? [HeaderField(.wwwAuthenticate, "Bearer")] : [])
  }
}
