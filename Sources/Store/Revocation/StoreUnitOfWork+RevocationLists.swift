import Issuance
import Licensing
import PKIX

extension StoreUnitOfWork {
  func revocationListNumber(
    of authority: Authority, issuer: [UInt8]
  ) async throws(StorageError) -> SerialNumber? {
    _ = try await run(LockExternalLists(authority: authority.record.key, isShared: false))
    return try await first(ReadExternalListNumber(authority: authority, issuer: issuer)).map {
      SerialNumber(bytes: $0)
    }
  }

  func store(_ list: ExternalRevocationList, of authority: Authority) async throws(StorageError) {
    _ = try await run(WriteExternalList(authority: authority, list: list))
    _ = try await run(ForgetSerials(authority: authority, issuer: list.issuerKey))
    let entries = list.list.entries
    for start in stride(from: 0, to: entries.count, by: WriteSerials.limit) {
      let part = entries[start..<min(start + WriteSerials.limit, entries.count)]
      _ = try await run(WriteSerials(authority: authority, issuer: list.issuerKey, entries: Array(part)))
    }
    _ = try await run(RestoreUnlisted(authority: authority, issuer: list.issuerKey))
    guard let key = list.issuer.publicKey else { return }
    var after: Int64 = 0
    while true {
      let seen = try await run(FindListed(authority: authority, issuer: list.issuerKey, after: after))
      let meant = seen.filter { (try? Certificate(der: $0.der))?.isSigned(by: key) == true }
      _ = try await run(
        RevokeListed(authority: authority, issuer: list.issuerKey, certificates: meant.map(\.id)))
      guard seen.count == Int(FindListed.limit), let last = seen.last else { return }
      after = last.id
    }
  }

  /// A certificate that is seen for the first time may have been on a list for long: those that were. The lock lets no
  /// list come between.
  func judgeByLists(
    _ seen: [(facts: CertificateFacts, key: Key<CertificateRecord>)], of authority: Authority
  ) async throws(StorageError) -> Set<Key<CertificateRecord>> {
    _ = try await run(LockExternalLists(authority: authority.record.key, isShared: true))
    let listings = Dictionary(
      grouping: try await listings(of: seen.map(\.facts.serialNumber), under: authority.record.key),
      by: \.serialNumber)
    var revoked: Set<Key<CertificateRecord>> = []
    for (facts, key) in seen {
      guard let named = listings[facts.serialNumber], let certificate = try? Certificate(der: facts.der)
      else {
        continue
      }
      for listing in named where listing.names(certificate) {
        _ = try await run(
          RevokeListed(authority: authority, issuer: listing.issuerKey, certificates: [key.rawValue]))
        revoked.insert(key)
      }
    }
    return revoked
  }

  func listings(
    of serialNumbers: [String], under authority: Key<Authority>
  ) async throws(StorageError) -> [Listing] {
    try await run(FindListings(authority: authority, serialNumbers: serialNumbers))
  }
}
