/// The shape of a log line.
public enum LogFormat: String, Sendable, CaseIterable {
  /// `time=… level=info logger=server message="listening" port=8443`: read by people and by Loki.
  case logfmt
  /// One JSON object a line.
  case json
}
