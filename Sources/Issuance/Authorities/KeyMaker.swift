internal import Cryptography
internal import Synchronization

/// Makes the keys of CAs one after the other, off the event loops: an RSA-4096 key takes seconds of a processor.
actor KeyMaker {
  /// How many may wait; more are turned away.
  static let mostWaiting = 8

  private nonisolated let waiting = Atomic(0)

  /// - Throws: `AuthorityFounding.Busy`, `OpenSSLError`.
  nonisolated func make(_ type: KeyType) async throws -> PrivateKey {
    defer { waiting.subtract(1, ordering: .relaxed) }
    guard waiting.add(1, ordering: .relaxed).newValue <= Self.mostWaiting else {
      throw AuthorityFounding.Busy()
    }
    return try await makeNow(type)
  }

  private func makeNow(_ type: KeyType) throws -> PrivateKey { try PrivateKey(generating: type) }
}
