internal import PKIX

/// A question to the path validator: does this certificate lead to one of these anchors, each alone, at that time?
struct ChainCase {
  var anchors: [Certificate]
  var untrusted: [Certificate] = []
  var lists: [RevocationList] = []
  var leaf: Certificate
  /// Seconds since 1970.
  var time: Int64
  /// Nil: as many as a server permits.
  var maximumIntermediates: Int?

  struct Answer {
    let isTrusted: Bool
    /// Why not; of a trusted one, by what.
    let reason: String
    /// What is odd, and does not matter to the answer.
    var notes: [String] = []
  }

  func answer() -> Answer {
    var refusal = "there is no anchor"
    for anchor in anchors {
      do {
        let (verdict, notes) = try verdict(under: anchor)
        switch verdict {
        case .valid(let path):
          return Answer(
            isTrusted: true, reason: "under \(anchor.subject), \(path.intermediates.count) between",
            notes: notes)
        case .expired: refusal = "the certificate has expired"
        case .notYetValid: refusal = "the certificate is not valid yet"
        case .revoked(_, let entry): refusal = "the certificate is revoked (\(entry.reason))"
        }
      } catch { refusal = "\(error)" }
    }
    return Answer(isTrusted: false, reason: refusal)
  }

  /// As a server judges for an authority that has this anchor, and has taken these lists.
  private func verdict(under anchor: Certificate) throws -> (PathVerdict, notes: [String]) {
    var policy = PathPolicy()
    if let maximumIntermediates {
      policy.maximumIntermediates = min(maximumIntermediates, policy.maximumPresented)
    }
    var notes = try AnchorCheck.warnings(on: anchor, at: time).map { "The anchor: \($0)" }
    let validator = try PathValidator(anchor: anchor, policy: policy)
    var accepted: [AcceptedRevocationList] = []
    for list in lists {
      do throws(RevocationListError) {
        accepted.append(try validator.accept(list, presented: untrusted, at: time))
      } catch {
        guard error == .wrongIssuer else { throw error }
        notes.append("A revocation list is of no CA on the path.")
      }
    }
    if accepted.contains(where: { $0.list.isStale(at: time) }) {
      notes.append("A revocation list is past its nextUpdate; what it revokes holds.")
    }
    let verdict = try validator.judge(leaf, presented: untrusted, revocations: accepted, at: time)
    return (verdict, notes)
  }
}
