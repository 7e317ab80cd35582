import Directory
import HTTP
import Issuance
import JSON
import Licensing
import PKIX
import Reactor
import Testing

@testable import API

/// What memory answers without a task is what would be answered with one.
struct AnswerAtOnceTests {
  private let feed = FeedHealth(staleSeconds: 60)
  private let caller = Visitor(.device(Peers.device))

  init() { feed.succeeded(begunAt: .now) }

  private func application(recalls: Bool = true) throws -> Application<Visitor> {
    try Application(
      surfaces: [.device], services: .forTests(seats: .over(OneSeat(), feed)),
      authenticate: { visitor, _ in visitor.caller },
      recall: { visitor, _ in recalls ? visitor.caller.device : nil })
  }

  private func members(_ response: Response) throws -> [String: JSONValue] {
    guard case .object(let members) = try JSONValue(parsing: response.body) else { return [:] }
    return Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.value) })
  }

  @Test(arguments: ["GET", "HEAD"])
  func `a seat in memory, and only that`(_ method: String) async throws {
    let application = try application()
    let request = try Request(method, "/v1/seats/studio")
    #expect(application.promptly(request, caller) == nil)
    let first = await application.respond(to: request, from: caller)
    let second = try #require(application.promptly(request, caller))
    for response in [first, second] {
      #expect(response.status == 200)
      #expect(response.value(of: .etag) == "\"4\"")
      #expect(response.value(of: .contentType) == "application/json")
      #expect(response.value(of: .cacheControl) == "no-store")
    }
    let (one, other) = (try members(first), try members(second))
    #expect(one.keys.sorted() == other.keys.sorted() && one["identity"] == .string("laptop-7"))
    for name in one.keys where !["validUntil", "validIn", "renewIn"].contains(name) {
      #expect(one[name] == other[name])
    }
  }

  @Test func `everything else is asked of the application`() async throws {
    let application = try application()
    let check = try Request("GET", "/v1/seats/studio")
    _ = await application.respond(to: check, from: caller)
    for (method, target) in [
      ("GET", "/v1/seats/studio?revision=1"), ("GET", "/v1/seats/editor"), ("PUT", "/v1/seats/studio"),
      ("DELETE", "/v1/seats/studio"), ("GET", "/v1/identity"), ("GET", "/v1/nothing"),
      ("GET", "/v1/seats/%20"),
      ("POST", "/v1/seats/studio"),
    ] {
      let request = try Request(method, target)
      #expect(application.promptly(request, caller) == nil, "\(method) \(target)")
    }
    #expect(application.promptly(check, nil) == nil)
    #expect(application.promptly(check, caller) != nil)
  }

  @Test func `a caller that memory cannot vouch for is judged in full`() async throws {
    let application = try application(recalls: false)
    let check = try Request("GET", "/v1/seats/studio")
    for _ in 0..<2 {
      #expect(application.promptly(check, caller) == nil)
      #expect(await application.respond(to: check, from: caller).status == 200)
    }
  }

  @Test func `a connection remembers what a request means, and not who may make it`() async throws {
    let application = try application()
    let (check, other) = (try Request("GET", "/v1/seats/studio"), try Request("GET", "/v1/seats/editor"))
    _ = await application.respond(to: check, from: caller)
    var memory: Recollection?
    func answer(_ request: Request, _ visitor: Visitor) -> Response? {
      application.responseAtOnce(to: request, from: visitor, remembering: &memory)
    }
    #expect(answer(check, caller)?.status == 200)
    let known = try #require(memory)
    #expect(answer(check, caller)?.status == 200)
    #expect(memory === known)
    // The same bytes that were read anew, another request, another caller.
    #expect(answer(try Request("GET", "/v1/seats/studio"), caller)?.status == 200)
    #expect(memory !== known)
    #expect(answer(other, caller) == nil)
    #expect(answer(check, caller)?.status == 200)
    #expect(answer(check, Visitor(.nobody)) == nil)
    // Its role may change from one request to the next; an administrator finds other routes.
    #expect(answer(check, caller)?.status == 200)
    let asDevice = try #require(memory)
    #expect(!asDevice.holds(for: check, isAdministrator: true))
    #expect(asDevice.holds(for: check, isAdministrator: false))
    feed.failed()
    feed.succeeded(begunAt: MonotonicInstant.now.advanced(by: .seconds(-61)))
    #expect(answer(check, caller) == nil)
  }

  @Test func `a seat that was lost is not remembered`() async throws {
    let held = HeldSeats()
    let desk = SeatDesk(
      store: OneSeat(), on: requestLoops, held: held, watches: SeatWatches(loops: requestLoops), feed: feed)
    let application = try Application<Visitor>(
      surfaces: [.device], services: .forTests(seats: desk),
      authenticate: { visitor, _ in visitor.caller }, recall: { visitor, _ in visitor.caller.device })
    let check = try Request("GET", "/v1/seats/studio")
    let (organization, identity) = (Peers.device.organization, Peers.device.identity)
    var memory: Recollection?
    for change in [
      Change.seatLost(organization, Key(1), identity), .identity(organization, identity),
      .license(organization, Key(1)), .organization(organization), .product(Key(1)),
    ] {
      _ = await application.respond(to: check, from: caller)
      #expect(application.responseAtOnce(to: check, from: caller, remembering: &memory) != nil)
      held.heard(of: [change])
      #expect(application.responseAtOnce(to: check, from: caller, remembering: &memory) == nil, "\(change)")
    }
    _ = await application.respond(to: check, from: caller)
    #expect(application.responseAtOnce(to: check, from: caller, remembering: &memory) != nil)
    desk.forgetProducts()
    #expect(application.responseAtOnce(to: check, from: caller, remembering: &memory) == nil)
  }

  @Test func `that a device is there is noted once in a quarter of an hour`() throws {
    let peer = try Peers.makeDevice().peer
    let directory = TrustDirectory()
    let recognizer = Recognizer(
      directory: directory, trust: Unreachable(), units: Unreachable(), on: requestLoops,
      makeID: { Identifier(high: 1, low: 2) })
    let begin = peer.certificate.notBefore
    let seen = Lock<[TenantKey<Identity>]>([])
    for (pause, count) in [(0, 1), (1, 1), (899, 1), (900, 2), (1799, 2), (1800, 3)] as [(Int64, Int)] {
      let gate = DeviceGate(
        directory: directory, recognizer: recognizer, feed: feed, clock: { begin + pause },
        seen: { device in seen.withLock { $0.append(device) } })
      #expect(gate.recall(peer, try Request("GET", "/v1/seats/studio")) != nil)
      #expect(seen.withLock { $0.count } == count, "\(pause)")
    }
    let identity = try #require(peer.recognized).identity.key
    #expect(Set(seen.withLock { $0 }) == [TenantKey(peer.organization.key, identity)])
  }

  @Test func `whoever may not be served is recalled by nobody`() throws {
    let peer = try Peers.makeDevice().peer
    let directory = TrustDirectory()
    let recognizer = Recognizer(
      directory: directory, trust: Unreachable(), units: Unreachable(), on: requestLoops,
      makeID: { Identifier(high: 1, low: 2) })
    func recalled(at time: Int64? = nil) throws -> Bool {
      let now = time ?? peer.certificate.notAfter
      let gate = DeviceGate(directory: directory, recognizer: recognizer, feed: feed, clock: { now })
      return gate.recall(peer, try Request("GET", "/v1/seats/studio")) != nil
    }
    #expect(try recalled())
    #expect(try !recalled(at: peer.certificate.notAfter + 1))
    #expect(try !recalled(at: peer.certificate.notBefore - 1))
    for standing in [peer.standing, peer.organization.standing, peer.authority.standing] {
      for state in [Standing.State.suspended, .revoked, .deleted] {
        standing.state = state
        #expect(try !recalled())
      }
      standing.state = .good
    }
    let identity = try #require(peer.recognized).identity
    identity.standing.state = .suspended
    #expect(try !recalled())
    identity.standing.state = .good
    #expect(try recalled())
    feed.succeeded(begunAt: MonotonicInstant.now.advanced(by: .seconds(-61)))
    #expect(try !recalled())
  }
}

extension Application {
  /// The answer at once over a connection that remembers nothing.
  fileprivate func promptly(_ request: Request, _ peer: Peer?) -> Response? {
    var memory: Recollection?
    return responseAtOnce(to: request, from: peer, remembering: &memory)
  }
}

/// A database with one product and one seat of it.
private struct OneSeat: SeatStore {
  func decide(_ batch: [SeatRequest], organization: Key<Organization>, product: Key<Product>)
    async throws(StorageError) -> [SeatOutcome]
  { throw .unavailable("connection refused") }

  func preview(_ request: SeatRequest, organization: Key<Organization>, product: Key<Product>)
    async throws(StorageError) -> SeatOutcome
  { throw .unavailable("connection refused") }

  func seat(of identity: Key<Identity>, organization: Key<Organization>, product: Key<Product>)
    async throws(StorageError) -> Seat?
  {
    guard product == Key(1) else { return nil }
    let now = Instant(seconds: 1_796_000_523)
    return Seat(
      license: Identifier(high: 1, low: 2), licenseKey: Key(1), kind: .lease, generation: 4, revision: 2,
      grantedAt: now, expiresAt: now.adding(seconds: 600), leaseSeconds: 600, graceSeconds: 0,
      overdraft: false,
      features: ["pdf": .flag(true)], licenseEndsAt: nil, statedAt: now)
  }

  func suspension(of identity: Key<Identity>, organization: Key<Organization>, product: Key<Product>)
    async throws(StorageError) -> SeatRefusal.Reason?
  { nil }

  func seats(of identity: Key<Identity>, organization: Key<Organization>) async throws(StorageError)
    -> [(product: ProductCode, seat: Seat)]
  { [] }

  func product(_ code: ProductCode) async throws(StorageError) -> Key<Product>? {
    code.description == "studio" ? Key(1) : nil
  }
}
