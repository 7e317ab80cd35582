import Fixtures
import Issuance
import Licensing
import PKIX
import Testing

@testable import Directory

/// A CA between leaf and anchor that a list names takes its devices with it, and nobody else's.
struct RevokedIssuerTests {
  private let world = World()
  private let root: TestAuthority, middle: TestAuthority
  private let device: TestIdentity

  init() throws {
    root = try .root("Root")
    middle = try root.intermediate("Middle")
    device = try middle.leaf("device")
  }

  /// What the database says of the CAs in memory after a list that names these.
  private func list(_ revoked: [TestAuthority], by issuer: TestAuthority? = nil) throws {
    let listings = revoked.map {
      Listing(
        serialNumber: $0.certificate.serialNumber.description, issuerKey: [],
        issuer: (issuer ?? root).certificate.der)
    }
    for entry in world.directory.issuers {
      world.directory.apply(
        listings, of: world.directory.heard(ofAuthority: entry.authority), under: entry.authority)
    }
  }

  @Test(arguments: [false, true])
  func `a device below a revoked intermediate is told so, until a later list takes it back`(_ isKnown: Bool)
    throws
  {
    world.register(7, root, of: 1, knowing: isKnown ? [middle] : [])
    let sent = isKnown ? [] : [middle]
    let peer = try world.connect(device, sent).get()
    let direct = try world.connect(try root.leaf("direct")).get()
    #expect(world.told(peer) == "1/7")
    try list([middle])
    #expect(world.told(peer) == "1/7 certificate-revoked")
    #expect(!world.verifier.stillStands(peer, under: nil))
    #expect(world.verdict(device, sent) == "1/7 certificate-revoked")
    #expect(world.verdict(try middle.leaf("another"), sent) == "1/7 certificate-revoked")
    #expect(world.told(direct) == "1/7")
    try list([])
    #expect(world.told(peer) == "1/7")
    #expect(world.verdict(device, sent) == "1/7")
  }

  @Test func `a serial number on the list of another CA means nobody`() throws {
    world.register(7, root, of: 1, knowing: [middle])
    let peer = try world.connect(device).get()
    try list([middle], by: middle)
    try list([middle], by: .root("Root"))
    #expect(world.told(peer) == "1/7")
  }

  @Test func `where another path leads around what is revoked it is taken`() throws {
    let again = try root.intermediate("Middle", key: middle.key)
    world.register(7, root, of: 1, knowing: [middle, again])
    let peer = try world.connect(device).get()
    let used = try #require(peer.issuers.first)
    #expect(peer.recognize(recognition(of: peer), through: [used]) && peer.recognized != nil)
    #expect(peer.judge(at: TestClock.now).recognized != nil)
    try list([used.certificate == middle.certificate ? middle : again])
    let judged = peer.judge(at: TestClock.now)
    #expect(judged.refusal == nil && judged.recognized == nil, "what was known goes with the path")
    #expect(world.told(peer) == "1/7")
    #expect(peer.recognized == nil, "of the other path's CAs nobody has asked yet")
    #expect(!peer.recognize(recognition(of: peer), through: [used]), "an answer that came too late")
    try list([middle, again])
    #expect(world.told(peer) == "1/7 certificate-revoked")
  }

  @Test func `whoever shows another's certificate with a revoked chain changes nothing for its owner`() throws
  {
    let again = try root.intermediate("Middle", key: middle.key)
    world.register(7, root, of: 1)
    let owner = try world.connect(device, [again]).get()
    let stranger = try world.connect(device, [middle]).get()
    try list([middle])
    #expect(world.told(stranger) == "1/7 certificate-revoked")
    #expect(world.told(owner) == "1/7")
    #expect(world.verdict(device, [middle]) == "1/7 certificate-revoked")
    #expect(world.verdict(device, [again]) == "1/7")
    #expect(world.told(owner) == "1/7")
  }

  private func recognition(of peer: DevicePeer) -> DevicePeer.Recognition {
    let identity = Identity(
      record: Record(
        key: Key(1), id: Identifier(high: 1, low: 2), externalID: nil, metadata: [:],
        createdAt: Instant(seconds: 0), updatedAt: Instant(seconds: 0), revision: 1),
      organization: Key(1), name: IdentityName("device")!, role: .device, attributes: [:], status: .active,
      external: nil)
    return .init(
      identity: IdentityEntry(identity), certificate: Key(1),
      rules: peer.authority.currentRules.generation)
  }
}
