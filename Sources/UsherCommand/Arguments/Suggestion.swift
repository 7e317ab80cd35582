/// What a mistyped word was meant to be.
enum Suggestion {
  /// The candidate nearest to the word, unless all are far from it.
  static func closest(to word: String, among candidates: [String]) -> String? {
    if let longer = candidates.first(where: { $0.hasPrefix(word) }) { return longer }
    let ranked = candidates.map { (name: $0, distance: distance(Array(word.utf8), Array($0.utf8))) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(1, word.utf8.count / 3) ? best.name : nil
  }

  /// How many insertions, deletions and replacements of one byte lead from one word to the other.
  private static func distance(_ from: [UInt8], _ to: [UInt8]) -> Int {
    var row = Array(0...to.count)
    for (index, byte) in from.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (column, other) in to.enumerated() {
        let cost = min(row[column] + 1, row[column + 1] + 1, diagonal + (byte == other ? 0 : 1))
        diagonal = row[column + 1]
        row[column + 1] = cost
      }
    }
    return row[to.count]
  }
}
