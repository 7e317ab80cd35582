/// Where a list goes on: after the row with this key, whether or not that row still exists.
public struct PageRequest: Sendable {
  /// 1…500.
  public let limit: Int
  /// Lists are in order of key, which grows with creation.
  public let after: Int64

  public init(limit: Int = 50, after: Int64 = 0) {
    self.limit = limit
    self.after = after
  }
}

/// One page, and the key after which the next one begins (nil at the end).
public struct Page<Element: Sendable>: Sendable {
  public let elements: [Element]
  public let next: Int64?

  public init(elements: [Element], next: Int64?) {
    self.elements = elements
    self.next = next
  }
}
