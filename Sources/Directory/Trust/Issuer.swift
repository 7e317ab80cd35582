internal import PKIX
internal import Synchronization

/// A CA's certificate between the anchor of an external authority and the leaves in memory: one object, for as long as
/// some proof rests on it.
///
/// Whether a list names it is read from the database with the first leaf under it (`Recognizer`), and again whenever the
/// authority changes: every proof that rests on it then holds no longer, and is made anew.
public final class Issuer: Sendable {
  let certificate: Certificate
  private let raw = Atomic(false)

  init(_ certificate: Certificate) { self.certificate = certificate }

  /// As the database writes it.
  public var serialNumber: String { certificate.serialNumber.description }

  /// Whether a list of its own issuer names it.
  var isRevoked: Bool {
    get { raw.load(ordering: .acquiring) }
    set { raw.store(newValue, ordering: .releasing) }
  }
}
