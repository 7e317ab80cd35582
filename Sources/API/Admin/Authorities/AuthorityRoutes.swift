import Directory
import HTTP
import Issuance
import JSON
import Licensing
import PKIX

/// The CAs that an organization trusts (api.md, "Admin API").
enum AuthorityRoutes {
  private static let collection = "/v1/organizations/{org}/authorities"
  private static let item = "/v1/organizations/{org}/authorities/{authority}"

  static let all: [Route] = [
    .admin(.post, collection, for: .admin, create),
    .list(collection, list),
    .admin(.get, item, for: .viewer, show),
    .admin(.patch, item, for: .admin, change),
    .admin(.delete, item, for: .admin, delete),
    .admin(.post, item + "/proof", for: .admin, prove),
    .admin(.put, item + "/certificate", for: .admin, certify),
    .admin(.post, item + "/preview", for: .viewer, preview),
  ]

  static let authority = Finder<Owned<Authority>>.owned { organization, exchange, unit, locked in
    guard let id = Identifier(exchange.parameters["authority"]) else { return nil }
    return try await unit.authority(id, of: organization.record.key, locked: locked)
  }

  // MARK: Creating

  private static func create(_ exchange: Exchange) async throws -> Response {
    // The key is made between two units of work: an RSA key takes seconds, and no row is locked for so long.
    let (organization, request) = try await exchange.read(.organization) { _, organization in
      (organization, try AuthorityRequest(exchange))
    }
    let new = try await request.found(for: organization, by: exchange.services.issuing.founding)
    return try await exchange.write(.organization) { desk, organization in
      let authority = try await desk.unit.insert(new)
      try await desk.record(
        "authority.created", of: organization,
        [
          "authority": authority.record.id.description, "kind": authority.kind.word,
          "trusted": "\(request.isTrusted)",
        ])
      try await desk.announce(.authority(organization.record.key, authority: authority.record.key.rawValue))
      return .resource(
        authority, madeAt: "/v1/organizations/\(organization.slug)/authorities/\(authority.record.id)")
    }
  }

  // MARK: Reading

  private static func list(_ exchange: Exchange) async throws -> Response {
    try await exchange.read(.organization) { desk, organization in
      let page = try await desk.unit.authorities(of: organization.record.key, exchange.page())
      return exchange.list(page)
    }
  }

  private static func show(_ exchange: Exchange) async throws -> Response {
    try await exchange.read(authority) { _, owned in .resource(owned.resource) }
  }

  // MARK: Changing

  private static func change(_ exchange: Exchange) async throws -> Response {
    try await exchange.write(authority) { desk, owned in
      try exchange.requireMatch(owned.resource.record)
      var authority = owned.resource
      if let issuers = try exchange.body({ try authority.apply(&$0) }), let anchor = authority.certificate {
        try await AuthorityRequest.check(
          issuers, under: Certificate(der: anchor), by: exchange.services.issuing.founding)
        authority.intermediates = issuers.flatMap(\.self).map(\.der)
      }
      authority = try await desk.unit.update(authority)
      try await desk.record(
        "authority.updated", of: owned.organization,
        ["authority": authority.record.id.description, "status": authority.status.word])
      try await desk.announce(
        .authority(owned.organization.record.key, authority: authority.record.key.rawValue))
      return .resource(authority)
    }
  }

  /// A deleted authority keeps refusing whom it signed, and never falls through to one above it. Under a revoked one no
  /// certificate lives.
  private static func delete(_ exchange: Exchange) async throws -> Response {
    try await exchange.write(authority) { desk, owned in
      try exchange.requireMatch(owned.resource.record)
      var authority = owned.resource
      if authority.status != .revoked {
        guard try await desk.unit.liveCertificates(of: authority.record.key) == 0 else {
          throw Problem(.authorityInUse)
        }
      }
      authority.status = .deleted
      authority = try await desk.unit.update(authority)
      try await desk.record(
        "authority.deleted", of: owned.organization, ["authority": authority.record.id.description])
      try await desk.announce(
        .authority(owned.organization.record.key, authority: authority.record.key.rawValue))
      return .noContent
    }
  }

  // MARK: Certificate, proof and preview

  /// The organization's root has signed the request of a subordinate authority, for the first time or again. The same
  /// chain again changes nothing.
  private static func certify(_ exchange: Exchange) async throws -> Response {
    try await exchange.write(authority) { desk, owned in
      try exchange.requireMatch(owned.resource.record)
      let chain = try exchange.body { $0.required("certificate", .certificates(count: 1...8)) }
      var authority = owned.resource
      if authority.kind == .subordinate, authority.certificate == chain[0].der { return .resource(authority) }
      guard authority.kind == .subordinate, authority.status != .revoked else {
        throw Problem.invalid(
          "/certificate", "is what a subordinate authority that is not revoked takes from its root")
      }
      let certified: AuthorityFounding.Certification
      do {
        certified = try await exchange.services.issuing.founding.certify(
          authority, by: chain, of: owned.organization)
      } catch let objection as AuthorityFounding.ChainObjection {
        throw Problem.invalid("/certificate", objection.reason)
      } catch let failure as PathFailure {
        throw Problem.invalid("/certificate", failure.description)
      }
      authority = try await desk.unit.certify(
        authority.record.key, of: owned.organization.record.key, by: certified.anchor,
        intermediates: certified.intermediates, warnings: certified.warnings)
      try await desk.record(
        "authority.certified", of: owned.organization, ["authority": authority.record.id.description])
      try await desk.announce(
        .authority(owned.organization.record.key, authority: authority.record.key.rawValue))
      return .resource(authority)
    }
  }

  private static func prove(_ exchange: Exchange) async throws -> Response {
    try await exchange.write(authority) { desk, owned in
      let proof = try exchange.certificateOfBody()
      var authority: Authority
      do {
        authority = try exchange.services.issuing.founding.prove(
          owned.resource, by: proof, at: try await desk.unit.now())
      } catch let failure as AuthorityFounding.ProofFailure {
        throw Problem(.proofInvalid, failure.remedy)
      }
      authority = try await desk.unit.update(authority)
      try await desk.record(
        "authority.proven", of: owned.organization, ["authority": authority.record.id.description])
      try await desk.announce(
        .authority(owned.organization.record.key, authority: authority.record.key.rawValue))
      return .resource(authority)
    }
  }

  private static func preview(_ exchange: Exchange) async throws -> Response {
    try await exchange.read(authority) { desk, owned in
      let certificate = try exchange.certificateOfBody()
      let preview = try await exchange.services.issuing.previewer.preview(
        certificate, under: owned.resource, of: owned.organization, in: desk.unit)
      return .json(200) { writer in
        writer.object { writer in
          writer.member("identity", preview.identity?.description)
          writer.member("verdict", preview.isAccepted ? "accepted" : "refused")
          writer.member("reason", preview.reason)
        }
      }
    }
  }
}

extension Exchange {
  fileprivate func certificateOfBody() throws -> Certificate {
    let certificates = try body { $0.required("certificate", .certificates(count: 1...1)) }
    guard let certificate = certificates.first else { throw Problem.invalid("/certificate", "is required") }
    return certificate
  }
}

extension AuthorityFounding.ProofFailure {
  fileprivate var remedy: String {
    switch self {
    case .notChallenged: "The authority is not waiting for a proof."
    case .expired: "The challenge is over after 24 hours; register the authority again."
    case .wrongName: "The certificate's subject must carry one common name, the authority's “challenge”."
    case .notSigned(let failure):
      "The certificate must be signed by the key of this authority's certificate itself: \(failure)."
    }
  }
}
