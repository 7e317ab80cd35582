/// What a verification that found a trusted path says about the leaf itself.
///
/// In all cases every signature, rule and purpose holds, and every certificate above the leaf is valid at the time of
/// the verification and not revoked; only whether the leaf is differs. Whoever accepts must say so by name.
public enum PathVerdict: Sendable, Hashable {
  /// The leaf is valid now.
  case valid(TrustedPath)
  /// The leaf has expired.
  case expired(TrustedPath)
  /// The leaf is not valid yet.
  case notYetValid(TrustedPath)
  /// Its issuer has revoked the leaf, whatever its time.
  case revoked(TrustedPath, RevocationList.Entry)

  /// The path, whatever became of the leaf.
  public var path: TrustedPath {
    switch self {
    case .valid(let path), .expired(let path), .notYetValid(let path), .revoked(let path, _): path
    }
  }
}
