import API
import Issuance
import Licensing
import Testing

/// Rows that a registration and an enrollment leave; nothing here is a real certificate.
extension World {
  /// An active external authority.
  func authority(of slug: Slug, seed: UInt8) async throws -> Authority {
    let id = try services.newID()
    return try await services.units.transact { unit in
      let organization = try #require(try await unit.organization(slug, locked: false))
      var new = NewAuthority(
        record: NewRecord(id: id), organization: organization.record.key, kind: .external, status: .active)
      new.certificate = AnchorFacts(
        der: [seed], spki: [UInt8](repeating: seed, count: 32), subject: [seed], subjectKeyIdentifier: [seed])
      return try await unit.insert(new)
    }
  }

  /// A certificate whose fingerprint is thirty-two times `seed`.
  func certificate(
    of identity: Identifier, from authority: Authority, serial: String, seed: UInt8
  ) async throws {
    let digest = [UInt8](repeating: seed, count: 32)
    let facts = CertificateFacts(
      der: [seed], serialNumber: serial, fingerprint: digest, spki: digest, notBefore: Instant(seconds: 0),
      notAfter: Instant(seconds: 4_000_000_000))
    try await services.units.transact { unit in
      let holder = try #require(
        try await unit.identity(.id(identity), of: authority.organization, locked: false))
      _ = try await unit.insert(facts, authority: authority, identity: holder.record.key, origin: nil)
    }
  }

  /// The last segment of a path.
  static func last(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? "" }
}
