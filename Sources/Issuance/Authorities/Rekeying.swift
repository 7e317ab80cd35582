internal import Cryptography
public import Licensing
internal import PKIX

/// The key of an authority as its row holds it.
public struct SealedAuthorityKey: Sendable {
  public let organization: Key<Organization>
  public let organizationID: Identifier
  public let authority: Key<Authority>
  public let authorityID: Identifier
  public let sealed: [UInt8]
  public let certificate: [UInt8]?
  public let request: [UInt8]?

  public init(
    organization: Key<Organization>, organizationID: Identifier, authority: Key<Authority>,
    authorityID: Identifier, sealed: [UInt8], certificate: [UInt8]?, request: [UInt8]?
  ) {
    self.organization = organization
    self.organizationID = organizationID
    self.authority = authority
    self.authorityID = authorityID
    self.sealed = sealed
    self.certificate = certificate
    self.request = request
  }

  /// The public half, which the certificate states, or the request while there is none.
  fileprivate var publicKey: PublicKey? {
    get throws {
      if let certificate { return try Certificate(der: certificate).publicKey }
      return try request.flatMap { try CertificationRequest($0).publicKey }
    }
  }
}

/// Seals the keys of authorities under a new key, each in a transaction of its own: it may be interrupted at any point
/// and run again, and does nothing where nothing is left to do.
public struct Rekeying: Sendable {
  /// What a run came to.
  public struct Report: Sendable {
    public var resealed = 0
    /// Authorities whose key does not open: sealed under a key that was not given, or damaged.
    public var failed: [(authority: Identifier, reason: String)] = []
    /// The same of a key that signs leases.
    public var failedLeaseKeys: [String] = []
    /// The same of a webhook's secret.
    public var failedWebhooks: [(webhook: Identifier, reason: String)] = []
  }

  private let keys: AuthorityKeys
  private let units: any UnitsOfWork

  /// `keys` opens what the old key sealed, and seals under the new one.
  public init(keys: AuthorityKeys, units: any UnitsOfWork) {
    self.keys = keys
    self.units = units
  }

  /// - Throws: `StorageError`.
  public func run() async throws -> Report {
    var report = Report()
    var last = Key<Authority>(0)
    while let step = try await step(after: last) {
      last = step.authority
      if let failure = step.failure {
        report.failed.append((step.id, failure))
      } else {
        report.resealed += 1
      }
    }
    try await resealLeaseKeys(&report)
    try await resealWebhooks(&report)
    return report
  }

  private func resealWebhooks(_ report: inout Report) async throws {
    let outcomes = try await units.transact { work -> [(webhook: Identifier, reason: String?)] in
      var outcomes: [(webhook: Identifier, reason: String?)] = []
      for webhook in try await work.sealedWebhooks()
      where webhook.secrets.contains(where: { !keys.sealing.hasSealed($0) }) {
        do {
          let secrets = try webhook.secrets.map { try keys.open(webhookSecret: $0, of: webhook.id) }
          try await work.reseal(
            webhook, try secrets.map { try keys.seal(webhookSecret: $0, of: webhook.id) })
          outcomes.append((webhook.id, nil))
        } catch let error as OpenSSLError {
          outcomes.append((webhook.id, "\(error)"))
        }
      }
      return outcomes
    }
    report.resealed += outcomes.count { $0.reason == nil }
    report.failedWebhooks = outcomes.compactMap { outcome in outcome.reason.map { (outcome.webhook, $0) } }
  }

  /// They are few: all in one transaction.
  private func resealLeaseKeys(_ report: inout Report) async throws {
    let outcomes = try await units.transact { work -> [String?] in
      var outcomes: [String?] = []
      for key in try await work.leaseKeys(locked: true) {
        guard let sealed = key.sealedKey, !keys.sealing.hasSealed(sealed) else { continue }
        let fresh: [UInt8]
        do {
          let publicKey = try PublicKey(subjectPublicKeyInfo: key.publicKey)
          fresh = try keys.reseal(leaseKey: sealed, of: publicKey)
        } catch {
          outcomes.append("\(error)")
          continue
        }
        try await work.reseal(key.key, fresh)
        outcomes.append(nil)
      }
      return outcomes
    }
    report.resealed += outcomes.count { $0 == nil }
    report.failedLeaseKeys = outcomes.compactMap(\.self)
  }

  private struct Step: Sendable {
    let authority: Key<Authority>
    let id: Identifier
    let failure: String?
  }

  private func step(after last: Key<Authority>) async throws -> Step? {
    try await units.transact { work in
      guard let found = try await work.sealedElsewhere(than: keys.sealingKey, after: last) else { return nil }
      let sealed: [UInt8]
      do {
        guard let key = try found.publicKey else { throw OpenSSLError(operation: "it has no public key") }
        sealed = try keys.reseal(
          found.sealed, organization: found.organizationID, authority: found.authorityID, key: key)
      } catch {
        return Step(authority: found.authority, id: found.authorityID, failure: "\(error)")
      }
      try await work.reseal(found.authority, of: found.organization, sealed)
      try await work.record(
        AuditEvent(
          "authority.rekeyed", organization: found.organization, actor: .machine,
          detail: ["authority": found.authorityID.description, "sealingKey": keys.sealingKey]))
      return Step(authority: found.authority, id: found.authorityID, failure: nil)
    }
  }
}
