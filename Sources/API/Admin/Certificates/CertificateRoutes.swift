import Cryptography
import HTTP
import Issuance
import JSON
import Licensing
import PKIX

/// The certificates of identities, and their end.
enum CertificateRoutes {
  static let all: [Route] = [
    .list("/v1/organizations/{org}/identities/{identity}/certificates", list),
    .admin(.post, "/v1/organizations/{org}/certificates/{certificate}/revoke", for: .admin, revoke),
  ]

  private static func list(_ exchange: Exchange) async throws -> Response {
    try await exchange.read(.identity) { desk, found in
      exchange.list(
        try await desk.unit.certificates(
          of: found.resource.record.key, organization: found.organization.record.key, try exchange.page()))
    }
  }

  /// Revoking what is revoked changes nothing, and is answered as the first time.
  private static func revoke(_ exchange: Exchange) async throws -> Response {
    try await exchange.write(certificates) { desk, found in
      let reason = try exchange.body(isOptional: true) { reader in
        reader.optional("reason", .reason) ?? .unspecified
      }
      let (certificate, organization) = (found.resource[0], found.organization.record.key)
      guard found.resource.count == 1 else { throw Problem(.serialAmbiguous) }
      guard certificate.status == .active else {
        return .json(200) { writer in certificate.write(to: &writer) }
      }
      try await desk.unit.revoke(certificate.key, organization: organization, reason: reason)
      try await desk.record(
        "certificate.revoked", of: found.organization, identity: certificate.identity,
        ["fingerprint": Hexadecimal.encode(certificate.facts.fingerprint), "reason": reason.word])
      try await desk.announce(.certificate(organization, certificate: certificate.key.rawValue))
      let revoked = try await desk.unit.certificates(
        .fingerprint(certificate.facts.fingerprint), of: organization, locked: false)
      return .json(200) { writer in (revoked.first ?? certificate).write(to: &writer) }
    }
  }

  /// What `{certificate}` names, never empty: a fingerprint or a serial number, of any case, colons or not.
  private static let certificates = Finder<Owned<[CertificateRecord]>>.owned {
    organization, exchange, unit, locked in
    guard let reference = CertificateReference(exchange.parameters["certificate"]) else { return nil }
    let found = try await unit.certificates(reference, of: organization.record.key, locked: locked)
    return found.isEmpty ? nil : found
  }
}

extension CertificateReference {
  /// Reads hexadecimal with or without colons: 32 bytes are a fingerprint, since no serial number has more than 20
  /// (RFC 5280 §4.1.2.2); anything else is a serial number.
  init?(_ text: String) {
    if let fingerprint = SHA256Digest(hexadecimal: text) {
      self = .fingerprint(fingerprint.bytes)
    } else {
      let digits = text.filter { $0 != ":" }
      guard
        let serial = SerialNumber(hexadecimal: digits.utf8.count.isMultiple(of: 2) ? digits : "0" + digits)
      else { return nil }
      self = .serialNumber(serial.description)
    }
  }
}

extension Shape<RevocationReason> {
  fileprivate static var reason: Shape {
    .one(
      of: .unspecified, .keyCompromise, .affiliationChanged, .superseded, .cessationOfOperation,
      .certificateHold, .privilegeWithdrawn)
  }
}
