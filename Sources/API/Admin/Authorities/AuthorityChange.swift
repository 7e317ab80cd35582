import HTTP
import Issuance
import JSON
import Licensing
import PKIX

extension Authority {
  /// Takes over the members of a PATCH; the intermediates are the caller's to judge, and to take.
  mutating func apply(_ reader: inout MemberReader) throws -> [[Certificate]]? {
    reader.refuse("kind")
    reader.patch("name", .displayName, &name)
    reader.patch(&record)
    let wanted = reader.replacement("status", .one(of: Status.active, .retired, .revoked))
    let issuers = kind == .external ? try applyTerms(&reader) : nil
    if let wanted { try move(to: wanted) }
    return issuers
  }

  private mutating func applyTerms(_ reader: inout MemberReader) throws -> [[Certificate]]? {
    reader.refuse("certificate")
    let issuers = reader.replacement("intermediates", .array(of: .certificates(count: 1...4), count: 0...8))
    let mapping = reader.replacement("mapping", .mapping)
    let match = reader.patch("match", .match).applied(to: self.match)
    let autoProvision = reader.replacement("autoProvision", .boolean) ?? self.autoProvision
    let allowsMissing = reader.replacement("allowMissingClientAuth", .boolean) ?? allowsMissingClientAuth
    reader.replace("group", .string(1...64), &group)
    try reader.finish()
    let terms = try ExternalTerms.checked(
      mapping: mapping ?? self.mapping, match: match, autoProvision: autoProvision,
      allowsMissingClientAuth: allowsMissing)
    self.mapping = terms.mapping
    self.match = terms.match
    self.autoProvision = terms.autoProvision
    allowsMissingClientAuth = terms.allowsMissingClientAuth
    return issuers
  }

  /// Retiring can be taken back; a revocation cannot, and nothing but a proof ends `pending`.
  private mutating func move(to wanted: Status) throws(Problem) {
    if wanted == status { return }
    switch (status, wanted) {
    case (.active, .retired), (.retired, .active), (.active, .revoked), (.retired, .revoked): status = wanted
    case _: throw Problem.invalid("/status", "cannot change from \(status.word) to \(wanted.word)")
    }
  }
}
