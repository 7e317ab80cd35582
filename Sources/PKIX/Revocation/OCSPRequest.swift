internal import Cryptography

/// What somebody asks an OCSP responder (RFC 6960 section 4.1), read strictly and trusted in nothing.
///
/// A signature on it is not looked at: anyone may ask.
public struct OCSPRequest: Sendable, Hashable {
  /// The certificate that is asked about, by hashes of its issuer's name and key, and its serial number.
  public struct CertificateID: Sendable, Hashable {
    /// As it came, since the answer repeats it.
    let der: [UInt8]
    let hash: DigestAlgorithm?
    let issuerNameHash: [UInt8]
    let issuerKeyHash: [UInt8]
    public let serialNumber: SerialNumber
  }

  /// The longest request that is read, in bytes.
  public static let limit = 10 * 1024
  /// Certificates that one request may ask about.
  public static let mostCertificates = 16
  /// Octets of a nonce that is repeated (RFC 9654 section 2.1).
  static let nonceLength = 1...128

  public let certificates: [CertificateID]
  /// What the answer must repeat, so that it is no older one; nil: an answer made before will do.
  public let nonce: [UInt8]?

  /// Reads a request; nil when it is malformed, asks for too much, or demands what is not known here.
  public init?(der: [UInt8]) {
    guard der.count <= Self.limit, let read = try? Self.read(der) else { return nil }
    self = read
  }

  private init(certificates: [CertificateID], nonce: [UInt8]?) {
    self.certificates = certificates
    self.nonce = nonce
  }

  private typealias Malformed = DERReader.Malformed

  private static func read(_ der: [UInt8]) throws(Malformed) -> OCSPRequest {
    var document = DERReader(der)
    var request = try document.inside(0x30)
    try document.finish()
    var contents = try request.inside(0x30)
    _ = try request.optional(0xa0)
    try request.finish()
    // The version is 1, and being the default it is left out; those who write it all the same write zero.
    if let version = try contents.optional(0xa0), Array(version) != [0x02, 0x01, 0x00] { throw Malformed() }
    _ = try contents.optional(0xa1)
    var list = try contents.inside(0x30)
    let extensions = try contents.optional(0xa2)
    try contents.finish()

    var certificates: [CertificateID] = []
    while !list.isAtEnd {
      guard certificates.count < mostCertificates else { throw Malformed() }
      certificates.append(try certificate(&list))
    }
    guard !certificates.isEmpty else { throw Malformed() }
    guard let extensions else { return OCSPRequest(certificates: certificates, nonce: nil) }
    return OCSPRequest(certificates: certificates, nonce: try Self.nonce(in: extensions))
  }

  private static func certificate(_ list: inout DERReader) throws(Malformed) -> CertificateID {
    var request = try list.inside(0x30)
    let (whole, contents) = try request.value(0x30)
    if let extensions = try request.optional(0xa0) {
      for found in try self.extensions(extensions) where found.isCritical { throw Malformed() }
    }
    try request.finish()
    var id = DERReader(contents)
    var algorithm = try id.inside(0x30)
    let hash = hashes[Array(try algorithm.contents(0x06))]
    if let parameters = try algorithm.optional(0x05), !parameters.isEmpty { throw Malformed() }
    try algorithm.finish()
    let name = try id.contents(0x04)
    let key = try id.contents(0x04)
    let serial = try id.contents(0x02)
    try id.finish()
    guard let first = serial.first, serial.count <= 32 else { throw Malformed() }
    return CertificateID(
      der: Array(whole), hash: hash, issuerNameHash: Array(name), issuerKeyHash: Array(key),
      // Nothing with a negative serial number was issued here; its magnitude does not matter.
      serialNumber: SerialNumber(bytes: Array(serial), isNegative: first & 0x80 != 0))
  }

  /// The hash functions that are known, by the contents of their identifiers.
  private static let hashes: [[UInt8]: DigestAlgorithm] = [
    [0x2b, 0x0e, 0x03, 0x02, 0x1a]: .sha1,
    [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]: .sha256,
    [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x02]: .sha384,
    [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x03]: .sha512,
  ]

  private static func nonce(in contents: ArraySlice<UInt8>) throws(Malformed) -> [UInt8]? {
    let nonceIdentifier = Array(DER.objectIdentifier(.ocspNonce).dropFirst(2))
    var nonce: [UInt8]?
    for found in try extensions(contents) {
      if Array(found.identifier) == nonceIdentifier {
        var value = DERReader(found.contents)
        let octets = try value.contents(0x04)
        try value.finish()
        guard nonce == nil, nonceLength.contains(octets.count) else { throw Malformed() }
        nonce = Array(octets)
      } else if found.isCritical {
        throw Malformed()
      }
    }
    return nonce
  }

  private struct Extension {
    let identifier: ArraySlice<UInt8>
    let isCritical: Bool
    let contents: ArraySlice<UInt8>
  }

  private static func extensions(_ contents: ArraySlice<UInt8>) throws(Malformed) -> [Extension] {
    var outer = DERReader(contents)
    var list = try outer.inside(0x30)
    try outer.finish()
    var found: [Extension] = []
    while !list.isAtEnd {
      var element = try list.inside(0x30)
      let identifier = try element.contents(0x06)
      let critical = try element.optional(0x01)
      let contents = try element.contents(0x04)
      try element.finish()
      found.append(
        Extension(
          identifier: identifier, isCritical: critical.map { $0.first != 0 } ?? false, contents: contents))
    }
    return found
  }
}
