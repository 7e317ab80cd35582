/// Header fields of an answer that is given often: their lines are written once.
public final class PreparedHeaders: Sendable {
  public static let none = PreparedHeaders()

  public let fields: [HeaderField]
  /// Each line after its CR LF.
  let lines: [UInt8]
  let areCacheControlled: Bool

  public init(_ fields: HeaderField...) {
    self.fields = fields
    areCacheControlled = fields.contains { $0.name == .cacheControl }
    lines = [UInt8](capacity: fields.reduce(0) { $0 + $1.byteCount }) { output in
      for field in fields { output.append(field) }
    }
  }

  /// One field before others that are prepared already.
  public init(_ field: HeaderField, before others: PreparedHeaders) {
    fields = [field] + others.fields
    areCacheControlled = others.areCacheControlled || field.name == .cacheControl
    lines = [UInt8](capacity: field.byteCount + others.lines.count) { output in
      output.append(field)
      for index in others.lines.indices { output.append(others.lines[index]) }
    }
  }
}
