import Cryptography
import Issuance
import Licensing
import Reactor

/// Refused certificates, added up in memory between two entries of the audit trail: of each organization and reason one
/// entry a minute, with how many there were and a sample (design invariant 8).
final class RefusalTally: Sendable {
  struct Kind: Hashable {
    /// Nil where no known authority signed the certificate.
    let organization: Key<Organization>?
    let reason: String
  }

  struct Sum {
    var count: Int64
    /// The first of them.
    let fingerprint: SHA256Digest?
  }

  /// What is beyond is only counted by the metrics.
  static let mostKinds = 1024

  private let sums = Lock<[Kind: Sum]>([:])

  func add(_ reason: String, of organization: Key<Organization>?, _ fingerprint: SHA256Digest?) {
    merge(Kind(organization: organization, reason: reason), Sum(count: 1, fingerprint: fingerprint))
  }

  /// Writes what has come together; what cannot be written now is added to the next minute's.
  func record(in units: some UnitsOfWork) async {
    let taken = sums.withLock { sums in
      defer { sums = [:] }
      return sums
    }
    if taken.isEmpty { return }
    do {
      try await units.transact { work in
        for (kind, sum) in taken {
          var detail = ["reason": kind.reason, "count": "\(sum.count)"]
          detail["fingerprint"] = sum.fingerprint.map { "\($0)" }
          try await work.record(
            AuditEvent(
              "certificate.refused", organization: kind.organization, actor: .system, detail: detail))
        }
      }
    } catch {
      for (kind, sum) in taken { merge(kind, sum) }
    }
  }

  private func merge(_ kind: Kind, _ sum: Sum) {
    sums.withLock { sums in
      guard sums[kind] != nil || sums.count < Self.mostKinds else { return }
      sums[kind, default: Sum(count: 0, fingerprint: sum.fingerprint)].count += sum.count
    }
  }
}
