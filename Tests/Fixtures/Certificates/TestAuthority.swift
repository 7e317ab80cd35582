public import Cryptography
public import PKIX

/// A certificate authority for tests, which signs whatever it is told.
public struct TestAuthority: Sendable {
  public let identity: TestIdentity

  public var certificate: Certificate { identity.certificate }
  public var key: PrivateKey { identity.key }

  /// An authority whose certificate was made elsewhere.
  public init(identity: TestIdentity) { self.identity = identity }

  /// A self-signed authority; `change` alters anything before it is signed.
  public static func root(
    _ name: String = "Test Root", keyType: KeyType = .p256, key: PrivateKey? = nil,
    _ change: (inout TestCertificate) -> Void = { _ in }
  ) throws -> TestAuthority {
    var contents = TestCertificate(name, key: try key ?? PrivateKey(generating: keyType))
    contents.becomeAuthority()
    contents.authorityKeyIdentifier = []
    change(&contents)
    return TestAuthority(
      identity: TestIdentity(certificate: try contents.signed(by: nil), key: contents.key))
  }

  /// An authority below this one.
  public func intermediate(
    _ name: String = "Test Intermediate", keyType: KeyType = .p256, key: PrivateKey? = nil,
    _ change: (inout TestCertificate) -> Void = { _ in }
  ) throws -> TestAuthority {
    var contents = TestCertificate(name, key: try key ?? PrivateKey(generating: keyType))
    contents.becomeAuthority()
    change(&contents)
    return TestAuthority(
      identity: TestIdentity(certificate: try contents.signed(by: identity), key: contents.key))
  }

  /// A client certificate with its key.
  public func leaf(
    _ name: String = "device", keyType: KeyType = .p256, key: PrivateKey? = nil,
    _ change: (inout TestCertificate) -> Void = { _ in }
  ) throws -> TestIdentity {
    var contents = TestCertificate(name, key: try key ?? PrivateKey(generating: keyType))
    change(&contents)
    return TestIdentity(certificate: try contents.signed(by: identity), key: contents.key)
  }

  /// A server certificate for these names and for 127.0.0.1.
  public func server(_ names: [String] = ["localhost"]) throws -> TestIdentity {
    try leaf(names.first ?? "localhost") {
      $0.extendedKeyUsage = [.serverAuth]
      $0.names = names.map { GeneralName.dns($0) } + [.ip([127, 0, 0, 1])]
    }
  }

  /// The certificate that proves to hold this authority's key: signed by it directly, the challenge as common name.
  public func proof(challenge: String) throws -> TestIdentity {
    try leaf(challenge) { $0.extendedKeyUsage = nil }
  }

  /// Everything that a verification says about a faulty leaf.
  public enum Fault: String, Sendable, CaseIterable {
    case serverAuthOnly, anyPurpose, noPurpose, emptyPurpose, expired, notYetValid, authorityAsLeaf, version1
    case serialZero, serialNegative, serialTooLong, unknownCriticalExtension, duplicateExtension
    case nameConstraints, noDigitalSignature
  }

  /// A leaf with one fault.
  public func leaf(with fault: Fault, key: PrivateKey? = nil) throws -> TestIdentity {
    try leaf(fault.rawValue, key: key) { contents in
      switch fault {
      case .serverAuthOnly: contents.extendedKeyUsage = [.serverAuth]
      case .anyPurpose: contents.extendedKeyUsage = [.clientAuth, .anyExtendedKeyUsage]
      case .noPurpose: contents.extendedKeyUsage = nil
      case .emptyPurpose: contents.extendedKeyUsage = []
      case .expired:
        contents.notBefore = TestClock.now - 7200
        contents.notAfter = TestClock.now - 60
      case .notYetValid: contents.notBefore = TestClock.now + 3600
      case .authorityAsLeaf: contents.basicConstraints = BasicConstraints(isAuthority: true)
      case .version1: contents.version = 0
      case .serialZero: contents.serialNumber = [0]
      case .serialNegative: contents.serialNumber = [0x80, 0x01]
      case .serialTooLong: contents.serialNumber = [0x40] + [UInt8](repeating: 7, count: 20)
      case .unknownCriticalExtension:
        contents.additionalExtensions = [
          CertificateExtension(ObjectIdentifier("1.2.3.4"), isCritical: true, contents: [0x05, 0x00])
        ]
      case .duplicateExtension: contents.additionalExtensions = [.extendedKeyUsage([.clientAuth])]
      case .nameConstraints:
        contents.additionalExtensions = [.nameConstraints(permittedURIHost: "host.example")]
      case .noDigitalSignature: contents.keyUsage = [.keyEncipherment]
      }
    }
  }
}
