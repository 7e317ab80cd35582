import Cryptography
import Licensing
import Reactor

/// Where public ids come from outside a request.
enum IdentifierSource {
  @Sendable static func make() throws -> Identifier {
    let words = try RandomBytes.make(16).reduce(into: (0 as UInt64, 0 as UInt64)) { words, byte in
      words = (words.0 << 8 | words.1 >> 56, words.1 << 8 | UInt64(byte))
    }
    return Identifier(at: Instant(microseconds: WallClock.microseconds), random: words)
  }
}
