internal import API
internal import Cryptography
internal import Directory
internal import Issuance
internal import Licensing
internal import Postgres
internal import Reactor
internal import Server
internal import Store
public import Telemetry
internal import Webhooks

/// One running server: the rooms of the house joined by one configuration.
///
/// Its making takes the ports and reads the keys, so that a mistake in the configuration ends the start; the database
/// may come later. `run` serves until it is told to stop, and then drains.
public final class Node: Sendable {
  /// A listener as it came out, with the port that the kernel chose for 0.
  public struct Endpoint: Sendable {
    public let roles: Set<ListenerRole>
    public let isTLS: Bool
    public let port: UInt16
  }

  public let endpoints: [Endpoint]

  let logger: Logger
  let loops: EventLoopGroup
  let database: PostgresClient
  /// The change feed has a thread and connections of its own: whoever comes by the hundred must not make it late, for what
  /// is not heard in time is 503 for everybody.
  let feedLoops: EventLoopGroup
  let feed: PostgresClient
  let schema: SchemaWatch
  let notifications: NotificationListener
  let follower: ChangeFollower
  let health: FeedHealth
  let credentials: ServerCredentials?
  let listeners: [Listener<Application<DevicePeer>>]
  let sweeper: Sweeper
  let revocation: RevocationJob
  let lifecycle: Lifecycle
  let watches: SeatWatches
  let tally: RefusalTally
  let housekeeping: HousekeepingJob
  let leaseKeys: LeaseKeyJob
  let sealing: SealingJob
  let deliveries: DeliveryJob
  let tokenUses: TokenUses
  let sightings: Sightings
  let units: FreshUnits

  public init(_ configuration: Configuration, logger: Logger) throws(StartFailure) {
    self.logger = logger
    OpenFileLimit.raise()
    let address = try configuration.postgres()
    credentials = try ServerCredentials(configuration)
    let keys = try configuration.authorityKeys()
    do throws(SystemError) {
      loops = try EventLoopGroup(count: EventLoopGroup.usableProcessors, name: "usher")
      feedLoops = try EventLoopGroup(count: 1, name: "usher-feed")
    } catch { throw StartFailure("\(error)") }

    let database = PostgresClient.connect(address, on: loops.loops)
    var alone = address
    (alone.readConnectionsPerLoop, alone.writeConnections) = (1, 1)
    let (feed, feedLoop) = (PostgresClient.connect(alone, on: feedLoops.loops), feedLoops.loops[0])
    let health = FeedHealth(staleSeconds: configuration.stale.components.seconds)
    let lifecycle = Lifecycle()
    let schema = SchemaWatch(database, on: loops.loops[0], logger: logger.labeled("schema"))
    let directory = TrustDirectory()
    let stored = StoreUnitsOfWork(database)
    let recognizer = Recognizer(
      directory: directory, trust: StoreTrust(database), units: stored, on: loops.loops,
      makeID: IdentifierSource.make)
    let sweeper = Sweeper(recognizer: recognizer)
    let watches = SeatWatches(loops: loops.loops)
    let metrics = Metrics()
    let batches = metrics.histogram(
      "usher_seat_batch_requests", "Seat requests that were decided together, in one transaction.",
      bounds: Histogram.sizes)
    let desk = SeatDesk(
      store: StoreSeats(database, batches: batches), on: loops.loops, held: HeldSeats(),
      watches: watches, feed: health)
    metrics.gauge("usher_seat_watches", "Devices that wait for a change of their seat.") {
      Int64(watches.count)
    }
    let clock: @Sendable () -> Int64 = { WallClock.seconds }
    let lists = StoreRevocation(database)
    let publisher = RevocationPublisher(store: lists, keys: keys, clock: clock)
    let revocation = RevocationJob(
      publisher, on: loops.loops[0], logger: logger.labeled("revocation"), metrics: metrics)
    self.revocation = revocation
    let follower = ChangeFollower(
      source: StoreTrust(feed), directory: directory, desk: desk, health: health, on: feedLoop,
      logger: logger.labeled("changes"), heard: { revocation.heard(of: $0) },
      trustChanged: { sweeper.sweep() })
    (self.database, self.feed, self.health, self.sweeper) = (database, feed, health, sweeper)
    (self.lifecycle, self.schema, self.follower) = (lifecycle, schema, follower)
    self.watches = watches

    let fresh = FreshUnits(stored, health: health)
    let tally = RefusalTally()
    (self.tally, units) = (tally, fresh)
    housekeeping = HousekeepingJob(
      Housekeeping(database, eventDays: Int64(configuration.eventDays)), on: loops.loops[0],
      logger: logger.labeled("housekeeping"))
    let tokenUses = TokenUses(StoreTokenUses(database), logger: logger.labeled("tokens"))
    self.tokenUses = tokenUses
    let sightings = Sightings(StoreSightings(database), logger: logger.labeled("devices"))
    self.sightings = sightings
    let leases = LeaseSigner(keys: keys, units: fresh)
    leaseKeys = LeaseKeyJob(leases, on: loops.loops[0], logger: logger.labeled("leases"))
    sealing = SealingJob(
      StoreEventChains(database), on: loops.loops[0], logger: logger.labeled("events"))
    let sender = try configuration.webhookSender()
    deliveries = DeliveryJob(
      WebhookDelivery(
        queue: StoreDeliveryQueue(database), sender: sender,
        open: { webhook in try webhook.secrets.map { try keys.open(webhookSecret: $0, of: webhook.id) } },
        clock: { Instant(microseconds: WallClock.microseconds) }),
      sender, on: loops.loops[0], logger: logger.labeled("webhooks"))
    let refusals = RefusalLog(logger: logger.labeled("refusals"), metrics: metrics, tally: tally)
    let hall = Hall(
      configuration: configuration,
      services: Services(
        units: fresh, seats: desk,
        issuing: Issuing(
          keys: keys,
          policy: IssuancePolicy(
            baseDomain: configuration.baseDomain, publicURL: configuration.publicURL), units: fresh,
          clock: clock
        ),
        revoking: Revoking(
          lists: RevocationListShelf(store: lists, publisher: publisher, clock: clock),
          ocsp: OCSPDesk(
            store: lists, certifier: ResponderCertifier(keys: keys, units: stored), clock: clock)),
        leases: leases,
        webhooks: WebhookTerms(keys: keys, addresses: configuration.webhooks.addresses),
        probe: Probe(
          readiness: Readiness(database: database, health: health, schema: schema, lifecycle: lifecycle)
            .check,
          metrics: { PrometheusText(metrics).render() }),
        publicURL: configuration.publicURL ?? "", deviceURL: configuration.deviceURL,
        clock: { Instant(microseconds: WallClock.microseconds) }, random: { try RandomBytes.make($0) },
        settle: {
          // Told or not, the other servers poll by themselves a moment later.
          _ = try? await database.read(ChangeNotice())
          await follower.catchUp()
        },
        logger: logger.labeled("api"), tokenUsed: tokenUses.note),
      directory: directory,
      gate: DeviceGate(
        directory: directory, recognizer: recognizer,
        feed: health, clock: clock, refused: { refusals.note($0, of: $1) }, seen: sightings.note),
      verifier: DeviceVerifier(
        directory, refusals: configuration.refusals, recognizer: recognizer, health: health, clock: clock),
      credentials: credentials, refusals: refusals, metrics: ServerMetrics(metrics), loops: loops.loops)
    var listeners: [Listener<Application<DevicePeer>>] = []
    for listener in configuration.listeners { listeners.append(try hall.open(listener)) }
    self.listeners = listeners
    endpoints = zip(configuration.listeners, listeners).map {
      Endpoint(roles: $0.roles, isTLS: $0.isTLS, port: $1.port)
    }
    sweeper.watch(listeners)
    notifications = NotificationListener(address, channel: ChangeNotice.channel, on: feedLoop) {
      follower.hint()
    }
  }
}

extension DeviceVerifier {
  /// Where refusals are told by alert, a handshake waits for what the database says of a newcomer, unless the database
  /// is known to be away: then every request is told so.
  fileprivate init(
    _ directory: TrustDirectory, refusals: RefusalDelivery, recognizer: Recognizer, health: FeedHealth,
    clock: @escaping @Sendable () -> Int64
  ) {
    let examine: @Sendable (DevicePeer) -> PeerRefusal? = { peer in
      guard health.freshness() == .fresh else { return nil }
      return BlockingThreads.wait { await recognizer.refusal(of: peer, at: clock()) }
    }
    self.init(directory: directory, examine: refusals == .alert ? examine : nil, clock: clock)
  }
}

extension Issuing {
  fileprivate init(
    keys: AuthorityKeys, policy: IssuancePolicy, units: any UnitsOfWork,
    clock: @escaping @Sendable () -> Int64
  ) {
    let issuer = LeafIssuer(keys: keys, policy: policy, clock: clock)
    self.init(
      founding: AuthorityFounding(keys: keys, policy: policy, clock: clock),
      enroller: Enroller(units: units, issuer: issuer, makeID: IdentifierSource.make),
      renewer: Renewer(units: units, issuer: issuer), previewer: Previewer(clock: clock))
  }
}
