import Issuance
import Licensing
import Testing

@testable import Store

/// Authorities, certificates and enrollments.
@Suite struct TrustRepositoryTests {
  @Test func `an external authority, proven`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store)
      let organization = office.organization
      var new = newAuthority(of: organization, kind: .external, status: .pending, key: 1)
      new.name = "Root"
      new.intermediates = [[2, 3], [4]]
      new.mapping = [MappingRule(field: .sanURI, prefix: "urn:x:"), MappingRule(field: .subjectCN)]
      new.match = MatchRule(policies: ["1.2.3"], uriPrefix: "spiffe://")
      new.autoProvision = true
      new.challenge = "challenge-1"
      new.challengeTTLSeconds = 86_400
      new.warnings = ["no key usage"]
      try await store.units.transact { [new] unit in
        let made = try await unit.insert(new)
        #expect(made.group == made.record.id.description)
        #expect(
          made.intermediates == new.intermediates && made.mapping == new.mapping && made.match == new.match)
        #expect(made.autoProvision && made.challenge == "challenge-1" && made.warnings == ["no key usage"])
        let now = try await unit.now()
        #expect(made.challengeExpiresAt == now.adding(seconds: 86_400))
        #expect(made.certificate == [1] && made.keyType == nil && made.sealedKey == nil)
        #expect(try await unit.issuers(for: organization.record.key).isEmpty)

        var proven = try #require(
          try await unit.authority(made.record.id, of: organization.record.key, locked: true))
        proven.status = .active
        proven.challenge = nil
        proven.challengeExpiresAt = nil
        proven.proofFingerprint = bytes(7)
        proven.match = nil
        let updated = try await unit.update(proven)
        #expect(updated.status == .active && updated.proofFingerprint == bytes(7) && updated.match == nil)
        #expect(updated.mapping == new.mapping)
        #expect(try await unit.authorities(of: organization.record.key, PageRequest()).elements.count == 1)
      }
    }
  }

  @Test func `a proven key belongs to one organization, a pending claim to nobody`() async throws {
    try await TestStore.withStore { store in
      let one = try await Office(in: store, slug: "one").organization
      let two = try await Office(in: store, slug: "two").organization
      let (first, second) = try await store.units.transact { unit in
        (
          try await unit.insert(newAuthority(of: one, kind: .external, status: .pending, key: 1)),
          try await unit.insert(newAuthority(of: two, kind: .external, status: .pending, key: 1))
        )
      }
      await conflict(.authorityKey, in: store) {
        _ = try await $0.insert(newAuthority(of: one, kind: .external, status: .pending, key: 9, subject: 1))
      }
      let prove: @Sendable (Authority, any IssuanceUnitOfWork) async throws -> Void = { authority, unit in
        var proven = authority
        proven.status = .active
        _ = try await unit.update(proven)
      }
      try await store.units.transact { try await prove(second, $0) }
      await conflict(.authorityKey, in: store) { try await prove(first, $0) }
      await conflict(.authorityKey, in: store) {
        _ = try await $0.insert(newAuthority(of: one, kind: .external, status: .active, key: 1, subject: 5))
      }
    }
  }

  @Test func `the newest active key signs`() async throws {
    try await TestStore.withStore { store in
      let organization = try await Office(in: store).organization
      try await store.units.transact { unit in
        let old = try await unit.insert(newAuthority(of: organization, status: .active, key: 1))
        var new = try await unit.insert(newAuthority(of: organization, status: .active, key: 2))
        #expect(try await unit.issuers(for: organization.record.key).first?.record.id == new.record.id)
        new.status = .retired
        _ = try await unit.update(new)
        #expect(try await unit.issuers(for: organization.record.key).first?.record.id == old.record.id)
      }
    }
  }

  func facts(_ number: UInt8, key: UInt8, notAfter: Int64 = 4_000_000_000) -> CertificateFacts {
    CertificateFacts(
      der: [number], serialNumber: "0\(number)", fingerprint: bytes(number), spki: bytes(key),
      notBefore: Instant(seconds: 1), notAfter: Instant(seconds: notAfter))
  }

  @Test func `certificates, found by serial and fingerprint, and revoked once and for all`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store)
      let (organization, person) = (office.organization.record.key, office.people[0].record)
      let (one, two) = try await store.units.transact { unit in
        (
          try await unit.insert(newAuthority(of: office.organization, status: .active, key: 1)),
          try await unit.insert(
            newAuthority(of: office.organization, kind: .external, status: .active, key: 2))
        )
      }
      let made = try await store.units.transact { unit in
        let made = try await unit.insert(
          facts(1, key: 8), authority: one, identity: person.key, origin: nil)
        _ = try await unit.insert(
          facts(2, key: 9, notAfter: 2), authority: one, identity: person.key, origin: nil)
        var same = facts(3, key: 9)
        same = CertificateFacts(
          der: same.der, serialNumber: "01", fingerprint: same.fingerprint, spki: same.spki,
          notBefore: same.notBefore, notAfter: same.notAfter)
        _ = try await unit.insert([(same, office.people[1].record.key)], authority: two)
        #expect(try await unit.certificates(.serialNumber("01"), of: organization, locked: true).count == 2)
        #expect(try await unit.certificates(.serialNumber("02"), of: organization, locked: false).count == 1)
        #expect(
          try await unit.certificates(.fingerprint(bytes(1)), of: organization, locked: false).map(\.key) == [
            made.key
          ])
        #expect(
          try await unit.certificates(of: person.key, organization: organization, PageRequest(limit: 1)).next
            == made.key.rawValue)
        #expect(try await unit.liveCertificates(of: one.record.key) == 1)
        #expect(try await unit.history(ofKey: bytes(8), organization: organization).holder == person.key)
        #expect(
          try await unit.history(ofKey: bytes(9), organization: organization).holder
            == office.people[1].record.key)
        #expect(try await unit.history(ofKey: bytes(7), organization: organization).holder == nil)
        return made
      }
      #expect(made.authorityID == one.record.id && made.identityID == person.id && made.status == .active)
      #expect(made.facts.serialNumber == "01" && made.facts.notAfter == Instant(seconds: 4_000_000_000))
      await conflict(.certificateSerial, in: store) {
        _ = try await $0.insert(facts(1, key: 1), authority: one, identity: person.key, origin: nil)
      }
      try await store.units.transact { unit in
        try await unit.revoke(made.key, organization: organization, reason: .keyCompromise)
        try await unit.revoke(made.key, organization: organization, reason: .superseded)
        let revoked = try await unit.certificate(made.key)
        #expect(revoked?.status == .revoked && revoked?.reason == .keyCompromise && revoked?.revokedAt != nil)
        #expect(try await unit.liveCertificates(of: one.record.key) == 0)
      }
      await #expect(throws: (any Error).self) {
        try await store.run("UPDATE certificate SET status = 1, revoked_at = NULL")
      }
      await #expect(throws: (any Error).self) {
        try await store.run("UPDATE certificate SET identity_id = 2 WHERE id = 2")
      }
    }
  }

  @Test func `an enrollment is spent use by use`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store)
      let organization = office.organization.record.key
      try await store.units.transact { unit in
        let authority = try await unit.insert(newAuthority(of: office.organization, status: .active, key: 1))
        let made = try await unit.insert(
          NewEnrollment(
            record: TestStore.newRecord(), organization: organization, identity: office.people[0].record.key,
            license: office.license.record.key, uses: 2, ttlSeconds: 60, tokenHash: bytes(1)))
        #expect(made.identityName == office.people[0].name && made.license == office.license.record.id)
        #expect(made.uses == 2 && made.used == 0 && !made.isRevoked && made.lastUse == nil)
        #expect(made.expiresAt == (try await unit.now()).adding(seconds: 60))
        let certificate = try await unit.insert(
          facts(1, key: 8), authority: authority, identity: office.people[0].record.key, origin: nil)
        try await unit.spend(made.record.key, spki: bytes(8), certificate: certificate.key)
        let found = try #require(try await unit.enrollment(tokenHash: bytes(1), locked: true))
        #expect(found.organization.slug == office.organization.slug)
        #expect(found.enrollment.used == 1 && found.enrollment.lastUse?.spki == bytes(8))
        #expect(found.enrollment.lastUse?.certificate == certificate.key)
        #expect(try await unit.enrollment(made.record.id, of: organization)?.used == 1)
        #expect(try await unit.enrollments(of: organization, PageRequest()).elements.count == 1)
        guard
          case .assigned = try await unit.assign(
            office.license, to: office.people[0], actor: .enrollment(made.record.id))
        else { throw StorageError.fault("not assigned") }
        try await unit.revoke(made.record.key)
        #expect(try await unit.enrollment(tokenHash: bytes(1), locked: false)?.enrollment.isRevoked == true)
        #expect(try await unit.enrollment(made.record.id, of: organization) == nil)
        #expect(try await unit.enrollment(tokenHash: bytes(2), locked: true) == nil)
      }
      #expect(
        try await store.ask("SELECT actor_id FROM event WHERE type = 'seat.assigned' AND actor_kind = 3")
          == (try await store.ask("SELECT id FROM enrollment")))
      await #expect(throws: (any Error).self) { try await store.run("UPDATE enrollment SET used = 3") }
    }
  }

  @Test func `what fails leaves nothing behind, and reading changes nothing`() async throws {
    struct Change: Error {}
    try await TestStore.withStore { (store: TestStore) async throws in
      await #expect(throws: Change.self) {
        try await store.units.transact { unit in
          _ = try await unit.insert(
            NewOrganization(record: TestStore.newRecord(), slug: Slug("x")!, name: "x"))
          try await unit.record(AuditEvent("organization.created", organization: nil, actor: .machine))
          throw Change()
        }
      }
      #expect(try await store.ask("SELECT count(*) FROM organization") == "0")
      #expect(try await store.ask("SELECT count(*) FROM event") == "0")
      await #expect(throws: StorageError.self) {
        try await store.units.read {
          _ = try await $0.insert(NewOrganization(record: TestStore.newRecord(), slug: Slug("x")!, name: "x"))
        }
      }
    }
  }
}
