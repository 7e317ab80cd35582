import PKIX

/// A request that was verified reads back the same, and holds a key that may be certified.
enum CertificationRequestTarget {
  static func run(_ bytes: [UInt8]) {
    guard let request = try? CertificationRequest(bytes) else { return }
    let der = request.der
    precondition(!der.isEmpty)
    guard let verified = try? request.verified() else { return }
    precondition(KeyPolicy.objection(to: verified.publicKey) == nil)
    let again = try? CertificationRequest(der).verified()
    precondition(again?.publicKey == verified.publicKey && again?.subject == verified.subject)
    _ = verified.subject.description
  }
}
