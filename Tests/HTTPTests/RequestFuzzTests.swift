import HTTP
import Testing

struct RequestFuzzTests {
  /// Damage makes anything; whatever it is, the verdict must not depend on how the network cut it.
  @Test(arguments: 0..<8 as Range<UInt64>) func `A damaged request means the same however it is cut`(
    _ seed: UInt64
  ) {
    var random = SplitMix(state: seed)
    let texts = RequestParserTests.sound.map { Array($0.0.text.utf8) }
    let special = Array("\r\n\r\n:;, %/?*\t\0\"0123456789abcdefx".utf8)
    var counts: [Bool: Int] = [:]
    for _ in 0..<400 {
      var bytes = (texts.randomElement(using: &random) ?? []) + (texts.randomElement(using: &random) ?? [])
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let index = Int.random(in: bytes.indices, using: &random)
        let byte = special.randomElement(using: &random) ?? 0
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.remove(at: index)
        case 1: bytes.insert(byte, at: index)
        case 2: bytes[index] = byte
        case _: bytes[index] = .random(in: 0...255, using: &random)
        }
      }
      let whole = Conversation(bytes)
      counts[whole.isOpen, default: 0] += 1
      for size in [1, Int.random(in: 2...60, using: &random)] {
        #expect(Conversation(bytes, inPiecesOf: size) == whole, "\(String(decoding: bytes, as: UTF8.self))")
      }
    }
    #expect(counts.count == 2)
  }
}

/// The generator of Steele, Lea and Flood: small, and the same on every run.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
