import Cryptography

/// Where a list goes on, opaque to clients: which list it was, with what filter, and the key of its last row.
///
/// It names no row that must still exist, and it cannot be carried to another list.
struct Cursor: Hashable {
  /// The list's path and filter.
  let list: String
  let after: Int64

  init(list: String, after: Int64) {
    self.list = list
    self.after = after
  }

  /// Reads what `description` wrote for the same list; nil for anything else.
  init?(_ text: String, list: String) {
    guard let bytes = Base64.decodeURL(text) else { return nil }
    let parts = String(decoding: bytes, as: UTF8.self).split(separator: "|", maxSplits: 1)
    guard parts.count == 2, let after = Int64(parts[0]), after > 0, parts[1] == list else { return nil }
    self.init(list: list, after: after)
  }
}

extension Cursor: CustomStringConvertible {
  var description: String { Base64.encodeURL(Array("\(after)|\(list)".utf8)) }
}
