internal import Licensing
public import PKIX

extension AuthorityFounding {
  /// Which of the intermediates of an external CA leads nowhere: its place, and why.
  public struct IntermediateObjection: Error, Sendable, Hashable {
    /// Counted from zero, as they were given; several certificates may stand at one place.
    public let place: Int
    public let reason: String
  }

  /// Makes sure that each intermediate is a CA that leads to the anchor, through the others where it must: one that does
  /// not would never be used, and its devices would be refused for a reason that nobody sees.
  ///
  /// One whose time has not come may be registered beforehand; the anchor itself among them does no harm.
  /// - Throws: `IntermediateObjection`; `PathFailure` when the anchor is none.
  @concurrent
  public func check(_ intermediates: [[Certificate]], under anchor: Certificate) async throws {
    let validator = try PathValidator(anchor: anchor, intermediates: intermediates.flatMap(\.self))
    for (place, certificates) in intermediates.enumerated() {
      for certificate in certificates where certificate != anchor {
        do throws(PathFailure) {
          try validator.checkIntermediate(certificate, at: max(clock(), certificate.notBefore))
        } catch {
          throw IntermediateObjection(
            place: place,
            reason: "“\(certificate.subject)” does not lead to the authority's certificate: \(error)")
        }
      }
    }
  }
}
