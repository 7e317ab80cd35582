public import Telemetry

/// What is written to standard error, and in which shape.
public struct LogConfiguration: Sendable, Equatable {
  public var level = LogLevel.info
  public var format = LogFormat.logfmt

  public init() {}
}
