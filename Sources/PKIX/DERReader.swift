/// Reads DER (X.690) value by value, strictly: one-byte tags, definite lengths in their shortest form, nothing beyond the end.
package struct DERReader {
  /// What was read is not the DER that was expected.
  package struct Malformed: Error {}

  private var rest: ArraySlice<UInt8>

  package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  package init(_ bytes: [UInt8]) { rest = bytes[...] }

  package var isAtEnd: Bool { rest.isEmpty }

  /// The next value with its tag and length, and its contents.
  package mutating func value(_ tag: UInt8) throws(Malformed) -> (
    whole: ArraySlice<UInt8>, contents: ArraySlice<UInt8>
  ) {
    let start = rest.startIndex
    guard rest.count >= 2, rest[start] == tag else { throw Malformed() }
    var position = start + 2
    var length = Int(rest[start + 1])
    if length >= 0x80 {
      let count = length & 0x7f
      guard (1...4).contains(count), rest.count >= 2 + count, rest[position] != 0 else { throw Malformed() }
      length = rest[position..<position + count].reduce(0) { $0 << 8 | Int($1) }
      guard length >= 0x80 else { throw Malformed() }
      position += count
    }
    guard rest.endIndex - position >= length else { throw Malformed() }
    let end = position + length
    defer { rest = rest[end...] }
    return (rest[start..<end], rest[position..<end])
  }

  /// The contents of the next value.
  package mutating func contents(_ tag: UInt8) throws(Malformed) -> ArraySlice<UInt8> {
    try value(tag).contents
  }

  /// The contents of the next value, if it has this tag.
  package mutating func optional(_ tag: UInt8) throws(Malformed) -> ArraySlice<UInt8>? {
    rest.first == tag ? try contents(tag) : nil
  }

  /// A reader of what the next value holds.
  package mutating func inside(_ tag: UInt8) throws(Malformed) -> DERReader {
    DERReader(try contents(tag))
  }

  /// Makes sure that nothing is left.
  package func finish() throws(Malformed) {
    guard isAtEnd else { throw Malformed() }
  }
}
