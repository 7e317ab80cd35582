internal import Cryptography

/// PEM text (RFC 7468): labelled base64 between BEGIN and END lines, with any text between the blocks.
public enum PEM {
  /// One block.
  public struct Block: Sendable, Hashable {
    /// What stands after BEGIN, such as `CERTIFICATE`.
    public let label: String
    /// The decoded contents.
    public let bytes: [UInt8]
  }

  /// Why a text is no PEM.
  public enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
    case unterminated(label: String)
    case mislabelled(begin: String, end: String)
    case notBase64(label: String)

    public var description: String {
      switch self {
      case .unterminated(let label): "the block “\(label)” has no END line"
      case .mislabelled(let begin, let end): "the block begins as “\(begin)” and ends as “\(end)”"
      case .notBase64(let label): "the block “\(label)” holds something that is not base64"
      }
    }
  }

  /// All blocks of a text, in order. Lines may end in LF or CRLF; white space around them is ignored.
  public static func blocks(in text: [UInt8]) throws(Failure) -> [Block] {
    var blocks: [Block] = []
    var label: String?
    var body: [UInt8] = []
    for line in text.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d }) {
      let line = trimmed(line)
      if let open = label {
        if let end = boundary(line, "-----END ") {
          guard end == open else { throw .mislabelled(begin: open, end: end) }
          guard let bytes = Base64.decode(body) else { throw .notBase64(label: open) }
          blocks.append(Block(label: open, bytes: bytes))
          label = nil
          body = []
        } else {
          body += line
        }
      } else {
        label = boundary(line, "-----BEGIN ")
      }
    }
    if let label { throw .unterminated(label: label) }
    return blocks
  }

  /// A block in 64-character lines, with a line feed at the end.
  public static func encode(_ bytes: [UInt8], label: String) -> String {
    var text = "-----BEGIN \(label)-----\n"
    var rest = Base64.encode(bytes)[...]
    while !rest.isEmpty {
      text += rest.prefix(64)
      text += "\n"
      rest = rest.dropFirst(64)
    }
    return text + "-----END \(label)-----\n"
  }

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var line = line.drop { isBlank($0) }
    while let last = line.last, isBlank(last) { line.removeLast() }
    return line
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static func boundary(_ line: ArraySlice<UInt8>, _ start: StaticString) -> String? {
    let start = Array("\(start)".utf8)
    let end = Array("-----".utf8)
    guard line.count >= start.count + end.count, line.starts(with: start), line.suffix(5).elementsEqual(end)
    else { return nil }
    return String(decoding: line.dropFirst(start.count).dropLast(end.count), as: UTF8.self)
  }
}
