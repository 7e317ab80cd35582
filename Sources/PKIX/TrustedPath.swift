/// A verified path: the leaf first, the anchor last.
public struct TrustedPath: Sendable, Hashable {
  /// Leaf, intermediates, anchor.
  public let certificates: [Certificate]

  init(_ certificates: [Certificate]) { self.certificates = certificates }

  /// The leaf.
  public var leaf: Certificate { certificates[0] }

  /// The certificates that lie between leaf and anchor.
  public var intermediates: ArraySlice<Certificate> { certificates.dropFirst().dropLast() }

  /// The last second at which every certificate of the path is still valid, since 1970.
  public var notAfter: Int64 { certificates.reduce(.max) { min($0, $1.notAfter) } }
}
