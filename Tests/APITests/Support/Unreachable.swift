import API
import Cryptography
import Directory
import Issuance
import Licensing
import Reactor
import Synchronization
import Telemetry
import Webhooks

/// A database that is away.
struct Unreachable: UnitsOfWork {
  func transact<Result: Sendable>(
    _ body: @Sendable (any IssuanceUnitOfWork) async throws -> Result
  ) async throws -> Result {
    throw StorageError.unavailable("connection refused: 10.0.0.7")
  }

  func read<Result: Sendable>(
    _ body: @Sendable (any IssuanceUnitOfWork) async throws -> Result
  ) async throws -> Result {
    throw StorageError.unavailable("connection refused: 10.0.0.7")
  }
}

extension Unreachable: SeatStore {
  func decide(_ batch: [SeatRequest], organization: Key<Organization>, product: Key<Product>)
    async throws(StorageError) -> [SeatOutcome]
  { throw .unavailable("connection refused") }
  func preview(_ request: SeatRequest, organization: Key<Organization>, product: Key<Product>)
    async throws(StorageError) -> SeatOutcome
  { throw .unavailable("connection refused") }
  func seat(of identity: Key<Identity>, organization: Key<Organization>, product: Key<Product>)
    async throws(StorageError) -> Seat?
  { throw .unavailable("connection refused") }
  func suspension(of identity: Key<Identity>, organization: Key<Organization>, product: Key<Product>)
    async throws(StorageError) -> SeatRefusal.Reason?
  { throw .unavailable("connection refused") }
  func seats(of identity: Key<Identity>, organization: Key<Organization>) async throws(StorageError)
    -> [(product: ProductCode, seat: Seat)]
  { throw .unavailable("connection refused") }
  func product(_ code: ProductCode) async throws(StorageError) -> Key<Product>? {
    throw .unavailable("connection refused")
  }
}

extension Unreachable: RevocationStore {
  func dueLists(of organization: Key<Organization>?, at now: Instant) async throws(StorageError)
    -> [DueRevocationList]
  { throw .unavailable("connection refused") }
  func renew(
    _ due: DueRevocationList, at now: Instant, keptFrom: Instant,
    _ sign: @Sendable (RevocationListDraft) async throws -> SignedRevocationList
  ) async throws -> Bool { throw StorageError.unavailable("connection refused") }
  func warnOfStaleLists(at now: Instant) async throws(StorageError) -> [Identifier] {
    throw .unavailable("connection refused")
  }
  func publishedList(of authority: Identifier, unless known: RevocationListVersion?)
    async throws(StorageError)
    -> PublishedRevocationList?
  { throw .unavailable("connection refused") }
  func statuses(of serialNumbers: [String], under authority: Identifier) async throws(StorageError)
    -> [IssuedStatus]?
  { throw .unavailable("connection refused") }
  func signingAuthority(_ authority: Identifier) async throws(StorageError) -> SigningAuthority? {
    throw .unavailable("connection refused")
  }
}

private let loops = try! EventLoopGroup(count: 1, name: "requests")

/// Those that requests run on.
let requestLoops = loops.loops

extension SeatDesk {
  static func over(_ store: any SeatStore, _ feed: FeedHealth) -> SeatDesk {
    SeatDesk(
      store: store, on: requestLoops, held: HeldSeats(), watches: SeatWatches(loops: requestLoops),
      feed: feed)
  }
}

extension Services {
  /// - Parameters:
  ///   - random: bytes that are the same each time, unless said.
  ///   - settle: what an admin's write waits for.
  static func forTests(
    units: any UnitsOfWork = Unreachable(), revocation: any RevocationStore = Unreachable(),
    seats: SeatDesk? = nil, logger: Logger = .silent,
    random: @escaping @Sendable (Int) throws -> [UInt8] = { [UInt8](repeating: 7, count: $0) },
    clock: @escaping @Sendable () -> Int64 = { 1_796_000_523 },
    settle: @escaping @Sendable () async -> Void = {}
  ) -> Services {
    let keys = AuthorityKeys(
      sealing: SealingKeyRing(SealingKey(bytes: [UInt8](repeating: 7, count: 32))!))
    let policy = IssuancePolicy(baseDomain: "usher.test")
    let publisher = RevocationPublisher(store: revocation, keys: keys, clock: clock)
    let issuer = LeafIssuer(keys: keys, policy: policy, clock: clock)
    return Services(
      units: units,
      seats: seats ?? .over(Unreachable(), FeedHealth(staleSeconds: 60)),
      issuing: Issuing(
        founding: AuthorityFounding(keys: keys, policy: policy, clock: clock),
        enroller: Enroller(units: units, issuer: issuer, makeID: { Identifier(high: 1, low: 2) }),
        renewer: Renewer(units: units, issuer: issuer), previewer: Previewer(clock: clock)),
      revoking: Revoking(
        lists: RevocationListShelf(store: revocation, publisher: publisher, clock: clock),
        ocsp: OCSPDesk(
          store: revocation, certifier: ResponderCertifier(keys: keys, units: units), clock: clock)),
      leases: LeaseSigner(keys: keys, units: units),
      webhooks: WebhookTerms(keys: keys, addresses: .public),
      probe: Probe(readiness: { Probe.Readiness(checks: []) }, metrics: { [] }),
      publicURL: "https://localhost:8444", deviceURL: "https://localhost:8443",
      clock: { Instant(seconds: clock()) }, random: random, settle: settle, logger: logger)
  }
}
