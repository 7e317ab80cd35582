import HTTP
import Issuance
import JSON
import Licensing
import PKIX

/// The revocation list of an organization's own CA, uploaded (api.md, `PUT …/authorities/{id}/crl`).
enum AuthorityListRoute {
  static let all: [Route] = [
    .admin(
      .put, "/v1/organizations/{org}/authorities/{authority}/crl", for: .admin, admitting: admit, put)
  ]

  private static func put(_ exchange: Exchange) async throws -> Response {
    do {
      return try await take(exchange)
    } catch let failure as RevocationListIntake.Failure {
      throw Problem(intake: failure)
    }
  }

  /// Asked before a long list is read, and again with each.
  private static func admit(_ exchange: Exchange) async throws {
    try await exchange.read(AuthorityRoutes.authority) { _, owned in
      guard owned.resource.kind == .external else {
        throw Problem(intake: RevocationListIntake.Failure.notExternal)
      }
    }
  }

  private static func take(_ exchange: Exchange) async throws -> Response {
    let intake = RevocationListIntake(clock: { exchange.services.clock().seconds })
    // Read between two units of work: a long list takes longer than a row may be locked.
    try await admit(exchange)
    let list = try await intake.read(exchange.request.body)
    return try await exchange.write(AuthorityRoutes.authority) { desk, owned in
      var authority = owned.resource
      let accepted = try await intake.accept(list, for: authority)
      let last = try await desk.unit.revocationListNumber(of: authority, issuer: accepted.issuerKey)
      if let last, !list.number.isGreater(than: last) {
        throw RevocationListIntake.Failure.notNewer(than: last)
      }
      try await desk.unit.store(accepted, of: authority)
      if authority.warnings.contains(Authority.staleListWarning) {
        authority.warnings.removeAll { $0 == Authority.staleListWarning }
        authority = try await desk.unit.update(authority)
      }
      try await desk.record(
        "crl.uploaded", of: owned.organization,
        [
          "authority": authority.record.id.description, "number": list.number.description,
          "entries": "\(list.entries.count)",
        ])
      try await desk.announce(
        .authority(owned.organization.record.key, authority: authority.record.key.rawValue))
      return .json(200) { writer in
        writer.object { writer in
          writer.member("authority", authority.record.id)
          writer.member("issuer", list.issuer.description)
          writer.member("number", list.number.description)
          writer.member("thisUpdate", Instant(seconds: list.thisUpdate))
          writer.member("nextUpdate", Instant(seconds: list.nextUpdate))
          writer.member("entries", Int64(list.entries.count))
        }
      }
    }
  }
}

extension Problem {
  /// What the uploader of a list is told.
  fileprivate init(intake failure: RevocationListIntake.Failure) {
    switch failure {
    case .notExternal:
      self.init(.crlInvalid, "This authority's key is held here: its revocation list is made here too.")
    case .list(let error): self.init(.crlInvalid, "The body: \(error).")
    case .notNewer(let last):
      self.init(
        .crlInvalid,
        "The list's number must be greater than that of the last one from the same issuer, \(last) (hexadecimal)."
      )
    }
  }
}

extension SerialNumber {
  fileprivate func isGreater(than other: SerialNumber) -> Bool {
    bytes.count == other.bytes.count
      ? other.bytes.lexicographicallyPrecedes(bytes) : bytes.count > other.bytes.count
  }
}
