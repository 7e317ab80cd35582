internal import Cryptography
import Issuance
import Licensing
internal import PKIX

/// Peers of one authority, looked up together.
struct RecognitionBatches: Combinable {
  struct Request: Sendable {
    let peer: DevicePeer
    let seconds: Int64
  }

  let authority: AuthorityEntry
  let directory: TrustDirectory
  let trust: any TrustSource
  let registrar: Registrar

  /// A change that is heard of while the database is read makes the reading void.
  private static let mostTries = 8

  func subject(of request: Request) -> SHA256Digest { request.peer.certificate.fingerprint }

  func answers(to batch: [Request]) async -> [Result<Void, any Error>] {
    let vain = StorageError.unavailable("identities change faster than this server can read them")
    var answers = [Result<Void, any Error>](repeating: .failure(vain), count: batch.count)
    var open = Array(batch.indices)
    for _ in 0..<Self.mostTries where !open.isEmpty {
      let verdicts = await verdicts(on: open.map { batch[$0] })
      for (place, verdict) in zip(open, verdicts) { if let verdict { answers[place] = verdict } }
      open = zip(open, verdicts).filter { $0.1 == nil }.map(\.0)
    }
    return answers
  }

  /// Nil for those who have to be read again.
  private func verdicts(on batch: [Request]) async -> [Result<Void, any Error>?] {
    do {
      return try await read(batch)
    } catch let refusal as PeerRefusal {
      return batch.map { _ in .failure(refusal) }
    } catch {
      switch error as? StorageError {
      case .unavailable, .outcomeUnknown: return batch.map { _ in .failure(error) }
      case _ where batch.count == 1: return [.failure(error)]
      case _: break
      }
      // A fault of one must not refuse the others.
      var verdicts: [Result<Void, any Error>?] = []
      for one in batch { verdicts += await self.verdicts(on: [one]) }
      return verdicts
    }
  }

  private func read(_ batch: [Request]) async throws -> [Result<Void, any Error>?] {
    var verdicts = [Result<Void, any Error>?](repeating: nil, count: batch.count)
    let epoch = directory.epoch
    let issuers = batch.map(\.peer.issuers)
    guard try await look(up: issuers.joined(), epoch: epoch) else { return verdicts }
    var trusted: [Int] = []
    for (place, request) in batch.enumerated() {
      switch request.peer.trust(at: request.seconds) {
      case _ where request.peer.recognized != nil: verdicts[place] = .success(())
      case .revoked: verdicts[place] = .failure(PeerRefusal.certificateRevoked)
      case .lost: verdicts[place] = .failure(PeerRefusal.trustChanged)
      case .good:
        // Where a CA is revoked another path may lead around it, of which nothing is known yet.
        if request.peer.issuers.elementsEqual(issuers[place], by: ===) { trusted.append(place) }
      }
    }
    if trusted.isEmpty { return verdicts }
    let (standings, rules) = try await standings(of: trusted.map { batch[$0].peer })
    for (place, standing) in zip(trusted, standings) {
      switch standing {
      case .failure(let refusal): verdicts[place] = .failure(refusal)
      case .success(nil): verdicts[place] = .success(())
      case .success(let standing?):
        let isTaken = directory.recognize(
          batch[place].peer, through: issuers[place], as: standing, rules: rules, epoch: epoch)
        if isTaken { verdicts[place] = .success(()) }
      }
    }
    return verdicts
  }

  /// Reads whether lists name the CAs above certificates; false when a change was heard of meanwhile.
  private func look(up issuers: some Sequence<Issuer>, epoch: UInt64) async throws -> Bool {
    var known: Set<Swift.ObjectIdentifier> = []
    let issuers = issuers.filter { known.insert(Swift.ObjectIdentifier($0)).inserted }
    if issuers.isEmpty { return true }
    let listings = try await trust.listings(of: issuers.map(\.serialNumber), under: authority.key)
    return directory.take(listings, of: issuers, under: authority, epoch: epoch)
  }

  /// What the database says, and the revision of the authority by whose rules it says so; nil for those of whom it has to
  /// be told something first.
  private func standings(
    of peers: [DevicePeer]
  ) async throws -> ([Result<CertificateStanding?, PeerRefusal>], rules: Int64) {
    let certificates = peers.map(\.certificate)
    if authority.kind == .external {
      if registrar.onlyReads { return try await readings(of: certificates) }
      do {
        return try await registrar.register(certificates, under: authority)
      } catch StorageError.conflict(_) {
        // Another server was first: now the row is there.
        return try await registrar.register(certificates, under: authority)
      }
    }
    // A certificate we issued is known by its row alone, whatever its SAN says.
    let rules = authority.currentRules.generation
    let fingerprints = certificates.map(\.fingerprint.bytes)
    let rows = try await trust.standings(ofCertificates: fingerprints, under: authority.key)
    // Now the device certainly has it, and the right of the one before it ends.
    let unused = rows.values.filter { $0.isUnusedSuccessor && $0.status == .active }.map(\.certificate)
    let used = try await registrar.use(unused, of: authority.organization.key)
    let standings = fingerprints.map { fingerprint -> Result<CertificateStanding?, PeerRefusal> in
      guard let row = rows[fingerprint] else { return .failure(.identityUnknown) }
      if !unused.contains(row.certificate) || used.contains(row.certificate) { return .success(row) }
      guard registrar.onlyReads else { return .failure(.certificateRevoked) }
      return row.identity.status == .active ? .success(nil) : .failure(.identitySuspended)
    }
    return (standings, rules)
  }

  /// Who is in no row yet may be on a list all the same.
  private func readings(of certificates: [Certificate]) async throws -> Registrar.Answer {
    var (standings, rules) = try await registrar.register(certificates, under: authority)
    let unseen = standings.indices.filter { if case .success(nil) = standings[$0] { true } else { false } }
    if unseen.isEmpty { return (standings, rules) }
    let serialNumbers = unseen.map { certificates[$0].serialNumber.description }
    let listings = try await trust.listings(of: serialNumbers, under: authority.key)
    for place in unseen where listings.contains(where: { $0.names(certificates[place]) }) {
      standings[place] = .failure(.certificateRevoked)
    }
    return (standings, rules)
  }
}
