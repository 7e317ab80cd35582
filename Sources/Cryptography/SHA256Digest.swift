/// A SHA-256 digest: 32 bytes that compare, hash and copy without allocation.
public struct SHA256Digest: Sendable, Hashable, CustomStringConvertible {
  private let words: (UInt64, UInt64, UInt64, UInt64)

  /// Hashes `message`.
  public init(hashing message: [UInt8]) throws(OpenSSLError) {
    self.init(words: try DigestAlgorithm.sha256.hash(message))
  }

  /// Takes over a digest of exactly 32 bytes.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.init(words: bytes)
  }

  /// Reads 64 hexadecimal digits of any case, with or without colons between the bytes.
  public init?(hexadecimal text: String) {
    guard let bytes = Hexadecimal.decode(text.filter { $0 != ":" }) else { return nil }
    self.init(bytes: bytes)
  }

  private init(words bytes: [UInt8]) {
    func word(_ start: Int) -> UInt64 {
      bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }
    words = (word(0), word(8), word(16), word(24))
  }

  /// The 32 bytes.
  public var bytes: [UInt8] {
    [words.0, words.1, words.2, words.3].flatMap { word in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
    }
  }

  /// 64 lowercase digits, the form in which Usher stores and shows fingerprints.
  public var hexadecimal: String { Hexadecimal.encode(bytes) }

  public var description: String { hexadecimal }

  public static func == (left: SHA256Digest, right: SHA256Digest) -> Bool { left.words == right.words }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    hasher.combine(words.1)
  }
}
