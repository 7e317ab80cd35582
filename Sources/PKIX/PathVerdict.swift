/// What a verification that found a trusted path says about the leaf's own time.
///
/// In all three cases every signature, rule and purpose holds, and every certificate above the leaf is valid at the
/// time of the verification; only whether the leaf is differs. Whoever accepts must say so by name.
public enum PathVerdict: Sendable, Hashable {
  /// The leaf is valid now.
  case valid(TrustedPath)
  /// The leaf has expired.
  case expired(TrustedPath)
  /// The leaf is not valid yet.
  case notYetValid(TrustedPath)

  /// The path, whatever the leaf's time.
  public var path: TrustedPath {
    switch self {
    case .valid(let path), .expired(let path), .notYetValid(let path): path
    }
  }
}
