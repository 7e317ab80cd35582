/// Seals under one key, and opens what that key or an earlier one sealed: so a key can be replaced while servers run.
public struct SealingKeyRing: Sendable {
  private let current: SealingKey
  private let earlier: [SealingKey]

  public init(_ current: SealingKey, earlier: [SealingKey] = []) {
    self.current = current
    self.earlier = earlier
  }

  /// The id of the key that seals.
  public var id: String { current.id }

  /// Whether the key that seals made this.
  public func hasSealed(_ sealed: [UInt8]) -> Bool { current.hasSealed(sealed) }

  public func seal(
    _ secret: borrowing SecretBytes, authenticating place: [UInt8]
  ) throws(OpenSSLError) -> [UInt8] {
    try current.seal(secret, authenticating: place)
  }

  public func open(_ sealed: [UInt8], authenticating place: [UInt8]) throws(OpenSSLError) -> SecretBytes {
    let key = earlier.first { $0.hasSealed(sealed) } ?? current
    return try key.open(sealed, authenticating: place)
  }
}
