/// Header fields of an answer that is given often: their lines are written once.
public final class PreparedHeaders: Sendable {
  public let fields: [HeaderField]
  /// Each line after its CR LF.
  let lines: [UInt8]

  public init(_ fields: HeaderField...) {
    self.fields = fields
    lines = [UInt8](capacity: fields.reduce(0) { $0 + $1.byteCount }) { output in
      for field in fields { output.append(field) }
    }
  }
}
