/// All that a server is told before it starts. A value of this type has been checked: it can be used as it is.
public struct Configuration: Sendable, Equatable {
  public var listeners: [ListenerConfiguration]
  /// The PEM file with the server's certificate, and after it its intermediates.
  public var serverCertificate: String?
  /// The PEM file with the server's private key.
  public var serverKeyFile: String?
  public var database: DatabaseConfiguration
  /// The file with the 32 bytes under which CA keys are sealed, in hexadecimal or base64.
  public var sealingKeyFile: String
  /// The file with the key that sealed CA keys before, until `usher rekey` has run.
  public var previousSealingKeyFile: String?
  /// The PKCS#11 module of the token that holds CA keys, and the file with its PIN.
  public var token: TokenConfiguration
  /// Where anyone reaches CA certificates, CRLs and OCSP; without it certificates say nothing about that.
  public var publicURL: String?
  /// Where devices reach the `device` surface.
  public var deviceURL: String
  /// The domain under which each organization has its own: `acme` is `acme.<baseDomain>` in SPIFFE IDs.
  public var baseDomain: String
  /// How long held seats are answered from memory when the database is away.
  public var stale: Duration
  public var refusals: RefusalDelivery
  /// How long events are kept; 0: for good.
  public var eventDays: Int
  public var webhooks: WebhookConfiguration
  public var timeouts: TimeoutConfiguration
  public var limits: LimitConfiguration
  public var log: LogConfiguration

  public init(
    listeners: [ListenerConfiguration], serverCertificate: String? = nil, serverKeyFile: String? = nil,
    database: DatabaseConfiguration, sealingKeyFile: String, publicURL: String? = nil, deviceURL: String,
    baseDomain: String
  ) {
    self.listeners = listeners
    self.serverCertificate = serverCertificate
    self.serverKeyFile = serverKeyFile
    self.database = database
    self.sealingKeyFile = sealingKeyFile
    self.publicURL = publicURL
    self.deviceURL = deviceURL
    self.baseDomain = baseDomain
    self.token = TokenConfiguration()
    self.stale = .seconds(60)
    self.refusals = .tell
    self.eventDays = 0
    self.webhooks = WebhookConfiguration()
    self.timeouts = TimeoutConfiguration()
    self.limits = LimitConfiguration()
    self.log = LogConfiguration()
  }
}
