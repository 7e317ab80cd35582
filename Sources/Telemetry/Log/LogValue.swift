/// A value beside a log message: text is escaped when it is written, so it can come from anyone.
public enum LogValue: Sendable, Equatable {
  case text(String)
  case integer(Int64)
  case boolean(Bool)

  /// Any value by its description.
  public init(_ value: some CustomStringConvertible) { self = .text(value.description) }

  public init(_ value: some BinaryInteger) { self = .integer(Int64(clamping: value)) }
}

extension LogValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
  public init(stringLiteral value: String) { self = .text(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
}
