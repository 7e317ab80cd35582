import Cryptography

/// Where a list goes on, opaque to clients: which list it was, with what filter, and the key of its last row.
///
/// It names no row that must still exist, and it cannot be carried to another list.
struct Cursor: Hashable {
  /// The list's path and filter.
  let list: String
  /// The parts of the key, the most significant first.
  let after: [Int64]

  init(list: String, after: Int64...) {
    self.list = list
    self.after = after
  }

  /// Reads what `description` wrote for the same list and a key of as many parts; nil for anything else.
  init?(_ text: String, list: String, parts count: Int = 1) {
    guard let bytes = Base64.decodeURL(text) else { return nil }
    let parts = String(decoding: bytes, as: UTF8.self).split(separator: "|", maxSplits: 1)
    guard parts.count == 2, parts[1] == list else { return nil }
    let after = parts[0].split(separator: ".").compactMap { Int64($0) }
    guard after.count == count, after.allSatisfy({ $0 > 0 }) else { return nil }
    self.list = list
    self.after = after
  }
}

extension Cursor: CustomStringConvertible {
  var description: String {
    Base64.encodeURL(Array("\(after.map(\.description).joined(separator: "."))|\(list)".utf8))
  }
}
