/// Rows of comma-separated values (RFC 4180), also with semicolons or tabs, as spreadsheets write them.
struct CSV: Sendable {
  struct Row: Sendable, Equatable {
    /// The line of the file on which it begins, from 1.
    let line: Int
    let cells: [String]
  }

  let titles: [String]
  let rows: [Row]

  /// - Throws: `CommandFailure` with the line for quotes that do not match and rows of another length.
  init(_ bytes: [UInt8]) throws(CommandFailure) {
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    let text = bytes.starts(with: mark) ? bytes.dropFirst(3) : bytes[...]
    var reader = Reader(rest: text, separator: Self.separator(text.prefix { $0 != UInt8(ascii: "\n") }))
    var rows: [Row] = []
    while let row = try reader.row() {
      // An empty line is no row.
      if row.cells != [""] { rows.append(row) }
    }
    guard let head = rows.first else {
      throw CommandFailure("the file is empty: its first line names the columns")
    }
    titles = head.cells
    self.rows = Array(rows.dropFirst())
    for row in self.rows where row.cells.count != titles.count {
      throw CommandFailure(
        "line \(row.line) has \(row.cells.count) cells, the first line has \(titles.count)")
    }
  }

  /// A cell as it is written: in quotes where it needs them.
  static func cell(_ text: String) -> String {
    guard text.contains(where: { ",;\"\n\r\t".contains($0) }) else { return text }
    return "\"\(text.replacing("\"", with: "\"\""))\""
  }

  private static func separator(_ head: ArraySlice<UInt8>) -> UInt8 {
    [UInt8(ascii: "\t"), UInt8(ascii: ";")].first { head.contains($0) && !head.contains(UInt8(ascii: ",")) }
      ?? UInt8(ascii: ",")
  }

  private struct Reader {
    var rest: ArraySlice<UInt8>
    let separator: UInt8
    var line = 1

    private static let quote = UInt8(ascii: "\"")
    private static let newline = UInt8(ascii: "\n")

    mutating func row() throws(CommandFailure) -> Row? {
      guard !rest.isEmpty else { return nil }
      let start = line
      var cells: [String] = []
      repeat { cells.append(try cell()) } while take(separator)
      _ = take(UInt8(ascii: "\r"))
      if take(Self.newline) { line += 1 }
      return Row(line: start, cells: cells)
    }

    private mutating func take(_ byte: UInt8) -> Bool {
      guard rest.first == byte else { return false }
      rest.removeFirst()
      return true
    }

    private mutating func cell() throws(CommandFailure) -> String {
      guard take(Self.quote) else {
        var text = rest.prefix { $0 != separator && $0 != Self.newline }
        rest = rest[text.endIndex...]
        if text.last == UInt8(ascii: "\r") { text.removeLast() }
        return String(decoding: text, as: UTF8.self)
      }
      let start = line
      var text: [UInt8] = []
      while let byte = rest.popFirst() {
        if byte == Self.newline { line += 1 }
        guard byte == Self.quote else {
          text.append(byte)
          continue
        }
        if take(Self.quote) {
          text.append(Self.quote)
        } else {
          guard [nil, separator, Self.newline, UInt8(ascii: "\r")].contains(rest.first) else { break }
          return String(decoding: text, as: UTF8.self)
        }
      }
      throw CommandFailure("line \(start): a quoted cell does not end")
    }
  }
}
