/// A signature algorithm that Usher signs with; which one follows from the key (RFC 5758, RFC 4055).
public enum SignatureAlgorithm: Sendable, Hashable {
  case ecdsaSHA256, ecdsaSHA384, rsaSHA256

  /// The hash that is signed.
  public var digest: DigestAlgorithm {
    switch self {
    case .ecdsaSHA256, .rsaSHA256: .sha256
    case .ecdsaSHA384: .sha384
    }
  }

  /// The DER `AlgorithmIdentifier` as certificates, requests and revocation lists carry it.
  public var algorithmIdentifier: [UInt8] {
    switch self {
    case .ecdsaSHA256: [0x30, 0x0a, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]
    case .ecdsaSHA384: [0x30, 0x0a, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x03]
    case .rsaSHA256:
      [0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b, 0x05, 0x00]
    }
  }

  /// The algorithm that a key of this kind signs with; nil for kinds Usher never signs with.
  public init?(for kind: PublicKey.Kind) {
    switch kind {
    case .p256: self = .ecdsaSHA256
    case .p384: self = .ecdsaSHA384
    case .rsa: self = .rsaSHA256
    case .p521, .ed25519, .other: return nil
    }
  }
}
