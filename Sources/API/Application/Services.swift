public import Directory
public import Issuance
public import Licensing
public import Telemetry

/// What handlers work with; one for the whole process.
public final class Services: Sendable {
  public let units: any UnitsOfWork
  /// Where devices get their seats.
  public let seats: SeatDesk
  /// Where certificates come from.
  public let issuing: Issuing
  /// What anyone is told about revocation.
  public let revoking: Revoking
  /// Who signs leases.
  public let leases: LeaseSigner
  public let webhooks: WebhookTerms
  public let probe: Probe
  /// Where the public surface is reached, without a slash at the end.
  public let publicURL: String
  /// Where the device surface is reached, without a slash at the end.
  public let deviceURL: String
  /// The server's own clock: for ids and for display, never for deciding.
  public let clock: @Sendable () -> Instant
  /// So many random bytes, fit for secrets.
  public let random: @Sendable (Int) throws -> [UInt8]
  /// Returns once this server's own memory has applied every change committed before the call.
  public let settle: @Sendable () async -> Void
  public let logger: Logger
  /// Told of every answer: the route's pattern (nil when there was none) and the status.
  public let observe: @Sendable (_ pattern: String?, _ status: Int) -> Void
  /// Told of every API token that was presented and is good; it does not wait.
  public let tokenUsed: @Sendable (Key<APIToken>) -> Void

  public init(
    units: any UnitsOfWork, seats: SeatDesk, issuing: Issuing, revoking: Revoking, leases: LeaseSigner,
    webhooks: WebhookTerms, probe: Probe,
    publicURL: String,
    deviceURL: String, clock: @escaping @Sendable () -> Instant,
    random: @escaping @Sendable (Int) throws -> [UInt8], settle: @escaping @Sendable () async -> Void,
    logger: Logger, tokenUsed: @escaping @Sendable (Key<APIToken>) -> Void = { _ in },
    observe: @escaping @Sendable (_ pattern: String?, _ status: Int) -> Void = { _, _ in }
  ) {
    self.units = units
    self.seats = seats
    self.issuing = issuing
    self.revoking = revoking
    self.leases = leases
    self.webhooks = webhooks
    self.probe = probe
    self.publicURL = publicURL
    self.deviceURL = deviceURL
    self.clock = clock
    self.random = random
    self.settle = settle
    self.logger = logger
    self.observe = observe
    self.tokenUsed = tokenUsed
  }

  /// A new public id.
  public func newID() throws -> Identifier {
    let words = try random(16).reduce(into: (0 as UInt64, 0 as UInt64)) { words, byte in
      words = (words.0 << 8 | words.1 >> 56, words.1 << 8 | UInt64(byte))
    }
    return Identifier(at: clock(), random: words)
  }
}
