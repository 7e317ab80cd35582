import FoundationEssentials
import JSON
import Testing

/// The parser and the writer beside Foundation's, on made-up and on damaged texts.
struct JSONFuzzTests {
  @Test(arguments: 0..<8 as Range<UInt64>) func `What is written is what Foundation and the parser read`(
    _ seed: UInt64
  ) throws {
    var random = SplitMix(state: seed)
    for _ in 0..<200 {
      let value = JSONFuzzTests.value(&random, depth: 0)
      var writer = JSONWriter()
      writer.value(value)
      #expect(try JSONValue(parsing: writer.bytes) == value)
      #expect(try JSONDecoder().decode(Foreign.self, from: Data(writer.bytes)).agrees(with: value))
    }
  }

  /// Damage makes most texts unsound. Whatever the parser takes, Foundation takes with the same meaning; what the parser
  /// refuses and Foundation takes is what the parser is strict about.
  @Test(arguments: 0..<8 as Range<UInt64>) func `A damaged text means what Foundation says or nothing`(
    _ seed: UInt64
  ) throws {
    var random = SplitMix(state: 1000 + seed)
    var taken = 0
    for _ in 0..<1000 {
      var writer = JSONWriter()
      writer.value(JSONFuzzTests.value(&random, depth: 1))
      var bytes = writer.bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
        let index = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.remove(at: index)
        case 1: bytes.insert(JSONFuzzTests.byte(&random), at: index)
        case 2: bytes[index] = JSONFuzzTests.byte(&random)
        case _: bytes.replaceSubrange(index..., with: bytes[..<index])
        }
      }
      guard let ours = try? JSONValue(parsing: bytes) else { continue }
      taken += 1
      let theirs = try? JSONDecoder().decode(Foreign.self, from: Data(bytes))
      #expect(theirs?.agrees(with: ours) == true, "\(String(decoding: bytes, as: UTF8.self))")
    }
    #expect(taken > 20)
  }

  private static func byte(_ random: inout SplitMix) -> UInt8 {
    Bool.random(using: &random)
      ? Array(#"{}[]",:\u0123456789eE+-.truefalsn "#.utf8).randomElement(using: &random) ?? 0
      : .random(in: 0...255, using: &random)
  }

  private static func value(_ random: inout SplitMix, depth: Int) -> JSONValue {
    switch Int.random(in: 0..<(depth < 4 ? 8 : 6), using: &random) {
    case 0: .null
    case 1: .boolean(.random(using: &random))
    case 2: .integer(.random(in: -1000...1000, using: &random))
    case 3: .integer(.random(in: .min ... .max, using: &random))
    case 4: .number(Double.random(in: -1...1, using: &random) * 1e10 + 0.5)
    case 5: .string(text(&random))
    case 6: .array((0..<Int.random(in: 0..<5, using: &random)).map { _ in value(&random, depth: depth + 1) })
    case _:
      .object(
        (0..<Int.random(in: 0..<5, using: &random)).map { index in
          JSONMember(text(&random) + "\(index)", value(&random, depth: depth + 1))
        })
    }
  }

  private static func text(_ random: inout SplitMix) -> String {
    let scalars: [ClosedRange<UInt32>] = [
      0...0x1f, 0x20...0x7e, 0x20...0x7e, 0x7f...0x7ff, 0xe000...0xfffd, 0x10000...0x10ffff,
    ]
    var text = ""
    for _ in 0..<Int.random(in: 0..<8, using: &random) {
      let range = scalars[Int.random(in: scalars.indices, using: &random)]
      if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

/// A JSON value as Foundation's decoder sees it.
enum Foreign: Decodable {
  case null
  case boolean(Bool)
  case number(Double, Int64?)
  case string(String)
  case array([Foreign])
  case object([String: Foreign])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let truth = try? container.decode(Bool.self) {
      self = .boolean(truth)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number, try? container.decode(Int64.self))
    } else if let text = try? container.decode(String.self) {
      self = .string(text)
    } else if let elements = try? container.decode([Foreign].self) {
      self = .array(elements)
    } else {
      self = .object(try container.decode([String: Foreign].self))
    }
  }

  func agrees(with value: JSONValue) -> Bool {
    switch (self, value) {
    case (.null, .null): true
    case (.boolean(let theirs), .boolean(let ours)): theirs == ours
    case (.number(_, let theirs), .integer(let ours)): theirs == ours
    case (.number(let theirs, _), .number(let ours)): theirs == ours
    case (.string(let theirs), .string(let ours)): theirs.utf8.elementsEqual(ours.utf8)
    case (.array(let theirs), .array(let ours)):
      theirs.count == ours.count && zip(theirs, ours).allSatisfy { $0.agrees(with: $1) }
    case (.object(let theirs), .object(let ours)):
      theirs.count == ours.count && ours.allSatisfy { theirs[$0.name]?.agrees(with: $0.value) ?? false }
    case _: false
    }
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
