/// Writes what happened as one line: a constant message, and values beside it.
///
/// The message is a literal, so that a log can be searched for it and nobody's input is ever part of it;
/// everything that varies is a field. A logger is a value: cheap to copy, the writer behind it is shared.
public struct Logger: Sendable {
  public typealias Fields = KeyValuePairs<StaticString, LogValue>

  /// The part of the server that speaks.
  public let label: StaticString
  /// The lowest level that is written.
  public let level: LogLevel
  private let writer: LogWriter?

  public init(_ label: StaticString, level: LogLevel = .info, writer: LogWriter) {
    self.label = label
    self.level = level
    self.writer = writer
  }

  private init(_ label: StaticString, level: LogLevel, optional writer: LogWriter?) {
    self.label = label
    self.level = level
    self.writer = writer
  }

  /// Says nothing.
  public static let silent = Logger("silent", level: .error, optional: nil)

  /// The same writer and level under another label.
  public func labeled(_ label: StaticString) -> Logger {
    Logger(label, level: level, optional: writer)
  }

  public func log(
    _ level: LogLevel, _ message: StaticString, _ fields: @autoclosure () -> Fields = [:]
  ) {
    log(level, message, fields(), suppressed: 0)
  }

  public func debug(_ message: StaticString, _ fields: @autoclosure () -> Fields = [:]) {
    log(.debug, message, fields(), suppressed: 0)
  }

  public func info(_ message: StaticString, _ fields: @autoclosure () -> Fields = [:]) {
    log(.info, message, fields(), suppressed: 0)
  }

  public func warning(_ message: StaticString, _ fields: @autoclosure () -> Fields = [:]) {
    log(.warning, message, fields(), suppressed: 0)
  }

  public func error(_ message: StaticString, _ fields: @autoclosure () -> Fields = [:]) {
    log(.error, message, fields(), suppressed: 0)
  }

  func log(
    _ level: LogLevel, _ message: StaticString, _ fields: @autoclosure () -> Fields, suppressed: Int64
  ) {
    guard let writer, level >= self.level else { return }
    var line = LogLine(writer.format)
    line.append("time", .text(Timestamp.now.description))
    line.append("level", .text(level.rawValue))
    line.append("logger", .text(label.description))
    line.append("message", .text(message.description))
    for (key, value) in fields() { line.append(key, value) }
    if suppressed > 0 { line.append("suppressed", .integer(suppressed)) }
    writer.write(line.finished())
  }
}
