extension PathValidator {
  /// Certificates of one name whose key is tried on a list.
  private static let maximumIssuers = 8
  /// Seconds that the clock of a list's issuer may be ahead.
  private static let clockTolerance: Int64 = 300

  /// Takes a revocation list as the anchor's own, or as that of an intermediate that leads to the anchor, at `time`
  /// (seconds since 1970).
  ///
  /// Its issuer is found by name, its key decides, and that key must be trusted as a device's would be; a list that is
  /// past its `nextUpdate` is taken (`RevocationList.isStale`).
  public func accept(
    _ list: RevocationList, presented: [Certificate] = [], at time: Int64
  ) throws(RevocationListError) -> AcceptedRevocationList {
    var candidates = ([anchor] + intermediates + presented).filter { $0.subject == list.issuer }
    guard !candidates.isEmpty else { throw .wrongIssuer }
    if let identifier = list.authorityKeyIdentifier {
      let (likely, others) = (
        candidates.filter { $0.isKnown(by: identifier) }, candidates.filter { !$0.isKnown(by: identifier) }
      )
      candidates = likely + others
    }
    var failure = RevocationListError.badSignature
    for issuer in candidates.prefix(Self.maximumIssuers) where issuer.publicKey.map(list.isSigned) == true {
      do throws(RevocationListError) {
        try requireListIssuer(issuer, presented, at: time)
        guard list.thisUpdate <= time + Self.clockTolerance else { throw .notYetValid }
        return AcceptedRevocationList(list, of: issuer)
      } catch { failure = error }
    }
    throw failure
  }

  private func requireListIssuer(
    _ issuer: Certificate, _ presented: [Certificate], at time: Int64
  ) throws(RevocationListError) {
    let usage: KeyUsage?
    do { usage = try issuer.keyUsage } catch {
      throw .issuerNotTrusted(PathFailure(.malformed, "\(error)", role: .intermediate))
    }
    guard usage?.contains(.crlSign) != false else { throw .issuerMayNotSign }
    do throws(PathFailure) {
      if issuer == anchor {
        try ValidityRule.check([anchor], as: .anchor, at: time)
      } else {
        _ = try path(from: issuer, as: .intermediate, presented: presented, revocations: [], at: time)
      }
    } catch { throw .issuerNotTrusted(error) }
  }
}

extension Certificate {
  /// Whether a key identifier is the one that the certificate states or the one that its key has.
  fileprivate func isKnown(by identifier: [UInt8]) -> Bool {
    identifier == computedKeyIdentifier || identifier == (try? subjectKeyIdentifier)
  }
}
