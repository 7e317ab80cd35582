/// What the machine's operator asks a running server.
public struct Probe: Sendable {
  /// Whether the server should be sent traffic, and why not.
  public struct Readiness: Sendable {
    public struct Check: Sendable {
      public let name: String
      public let isGood: Bool
      /// What is wrong and what follows, or how it is.
      public let detail: String

      public init(_ name: String, isGood: Bool, detail: String) {
        self.name = name
        self.isGood = isGood
        self.detail = detail
      }
    }

    public let checks: [Check]
    public var isReady: Bool { checks.allSatisfy(\.isGood) }

    public init(checks: [Check]) { self.checks = checks }
  }

  public let readiness: @Sendable () async -> Readiness
  /// The metrics in Prometheus' text format.
  public let metrics: @Sendable () -> [UInt8]

  public init(
    readiness: @escaping @Sendable () async -> Readiness, metrics: @escaping @Sendable () -> [UInt8]
  ) {
    self.readiness = readiness
    self.metrics = metrics
  }
}
