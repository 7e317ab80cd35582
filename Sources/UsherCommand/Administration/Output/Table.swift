internal import JSON

/// Rows of a list side by side, under titles.
struct Table: Sendable {
  private static let gap = "  "
  /// No column that is cut is narrower.
  private static let narrowest = 8

  private let titles: [String]
  private let rows: [[String]]
  private let isNumber: [Bool]

  init(_ rows: [JSONValue], columns: [String]) {
    titles = columns.map(Self.title)
    let values = rows.map { row in columns.map { row.value(at: $0) } }
    self.rows = values.map { $0.map(CellText.text) }
    isNumber = columns.indices.map { column in
      !values.isEmpty
        && values.allSatisfy {
          switch $0[column] {
          case .integer, .number: true
          case _: false
          }
        }
    }
  }

  /// `lastUsedAt` → LAST USED, `usage.held` → HELD.
  static func title(_ column: String) -> String {
    let name = column.split(separator: ".").last.map(String.init) ?? column
    var title = ""
    for letter in name.hasSuffix("At") ? String(name.dropLast(2)) : name {
      if letter.isUppercase, title.last?.isLowercase == true { title += " " }
      title.append(letter)
    }
    return title.uppercased()
  }

  /// - Parameter width: how wide the terminal is, into which it is made to fit: times lose their seconds, then their
  ///   hours, then texts their ends. Nil: nothing is cut.
  func lines(width: Int?) -> [String] {
    guard let width else { return lines(rows, widths(rows)) }
    var rows = rows.map { $0.map { Self.time($0, length: 16) } }
    if total(widths(rows)) > width { rows = rows.map { $0.map { Self.time($0, length: 10) } } }
    var widths = widths(rows)
    while total(widths) > width {
      // Ids are for copying: they stay whole.
      let cuttable = widths.indices.filter { widths[$0] > Self.narrowest && !isIdentifiers($0) }
      guard let widest = cuttable.max(by: { widths[$0] < widths[$1] }) else { break }
      widths[widest] -= 1
    }
    return lines(rows, widths)
  }

  private func widths(_ rows: [[String]]) -> [Int] {
    titles.indices.map { column in rows.reduce(titles[column].count) { max($0, $1[column].count) } }
  }

  private func total(_ widths: [Int]) -> Int { widths.reduce(0, +) + Self.gap.count * (widths.count - 1) }

  private func isIdentifiers(_ column: Int) -> Bool { titles[column] == "ID" || titles[column] == "LICENSE" }

  private func lines(_ rows: [[String]], _ widths: [Int]) -> [String] {
    ([titles] + rows).map { row in
      let cells = row.indices.map { column in
        let text = row[column]
        if text.count > widths[column] { return "\(text.prefix(widths[column] - 1))…" }
        let space = String(repeating: " ", count: widths[column] - text.count)
        return isNumber[column] ? space + text : text + space
      }
      let line = cells.joined(separator: Self.gap)
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// `2026-11-30T01:02:03Z` as `2026-11-30 01:02`, or its day alone.
  private static func time(_ text: String, length: Int) -> String {
    guard text.utf8.count >= 16, text.utf8.first.map({ 0x30...0x39 ~= $0 }) == true,
      text.last == "Z" || text.count == 16,
      text.dropFirst(4).first == "-", text.dropFirst(13).first == ":"
    else { return text }
    return String(text.prefix(length)).replacing("T", with: " ")
  }
}
