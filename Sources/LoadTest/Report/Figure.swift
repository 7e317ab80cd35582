/// Numbers for people.
enum Figure {
  /// Nanoseconds in the unit that suits them, three digits.
  static func time(_ nanoseconds: Int64) -> String {
    switch nanoseconds {
    case ..<1_000_000: "\(decimal(Double(nanoseconds) / 1e3)) µs"
    case ..<1_000_000_000: "\(decimal(Double(nanoseconds) / 1e6)) ms"
    default: "\(decimal(Double(nanoseconds) / 1e9)) s"
    }
  }

  /// A number with three digits or all before the point, in groups of three.
  static func count(_ number: Double) -> String {
    guard number >= 100 else { return decimal(number) }
    let digits = Array(String(Int(number.rounded())))
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return text
  }

  /// Three digits.
  static func decimal(_ number: Double) -> String {
    let places = number >= 100 ? 0 : number >= 10 ? 1 : 2
    let factor = [1.0, 10.0, 100.0][places]
    let scaled = Int((number * factor).rounded())
    guard places > 0 else { return String(scaled) }
    let whole = String(scaled / Int(factor))
    let part = String(scaled % Int(factor))
    return "\(whole).\(String(repeating: "0", count: places - part.count))\(part)"
  }

  /// Columns; the first to the left, the others to the right.
  static func table(_ rows: [[String]]) -> String {
    let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      row.enumerated().map { column, text in
        let space = String(repeating: " ", count: widths[column] - text.count)
        return column == 0 ? text + space : space + text
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }
}
