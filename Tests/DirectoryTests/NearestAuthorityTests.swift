import Fixtures
import Issuance
import Licensing
import Testing

@testable import Directory

/// Of the authorities on a chain the nearest decides, whatever became of it (design invariant 5).
struct NearestAuthorityTests {
  private let world = World()
  private let root: TestAuthority, middle: TestAuthority
  private let below: TestIdentity, beside: TestIdentity

  init() throws {
    root = try .root("Root of A")
    middle = try root.intermediate("Intermediate of B")
    below = try middle.leaf("device of B")
    beside = try root.leaf("device of A")
  }

  /// Whatever the client sends with its leaf.
  private func verdicts() -> Set<String> {
    [world.verdict(below, [middle]), world.verdict(below), world.verdict(below, [middle, root])]
  }

  enum End: CaseIterable {
    case revoked, deleted, forgotten, organizationDeleted, organizationForgotten, organizationSuspended
  }

  private func end(_ end: End) {
    switch end {
    case .revoked: world.register(8, middle, of: 2, .revoked)
    case .deleted: world.register(8, middle, of: 2, .deleted)
    case .forgotten: world.forget(8, of: 2)
    case .organizationDeleted: world.organize(2, .deleted)
    case .organizationForgotten: world.readAnew(without: 2)
    case .organizationSuspended: world.organize(2, .suspended)
    }
  }

  private func expected(_ end: End) -> String {
    switch end {
    case .revoked, .deleted, .forgotten: "2/8 authority-revoked"
    case .organizationDeleted, .organizationForgotten: "unknownAuthority"
    case .organizationSuspended: "2/8 organization-suspended"
    }
  }

  @Test(arguments: End.allCases, [false, true])
  func `whatever ends an intermediate of B, its devices never get into A above it`(
    _ end: End, _ isRootFirst: Bool
  ) {
    if isRootFirst { world.register(7, root, of: 1, knowing: [middle]) }
    world.register(8, middle, of: 2)
    if !isRootFirst { world.register(7, root, of: 1, knowing: [middle]) }
    #expect(verdicts() == ["2/8"])
    #expect(world.verdict(beside) == "1/7")

    self.end(end)
    #expect(verdicts() == [expected(end)])
    #expect(world.verdict(beside) == "1/7", "A's own devices are not concerned")
    world.readAnew(without: end == .organizationForgotten ? 2 : nil)
    #expect(verdicts() == [expected(end)], "nor does a lost feed change it")
  }

  @Test(arguments: End.allCases) func `the same before any of them has connected`(_ end: End) {
    world.register(7, root, of: 1, knowing: [middle])
    world.register(8, middle, of: 2)
    self.end(end)
    #expect(verdicts() == [expected(end)])
  }

  @Test func `a key that is registered takes its devices out of A at once, connected or not`() throws {
    world.register(7, root, of: 1, knowing: [middle])
    let peer = try world.connect(below, [middle]).get()
    let direct = try world.connect(beside).get()
    #expect(world.told(peer) == "1/7")
    world.register(8, middle, of: 2, .pending)
    #expect(world.told(peer) == "1/7", "who has not proven the key decides nothing")
    world.register(8, middle, of: 2)
    #expect(world.told(peer) == "1/7 trust-changed")
    #expect(!world.verifier.stillStands(peer, under: nil))
    #expect(verdicts() == ["2/8"])
    #expect(world.told(direct) == "1/7")
  }

  @Test func `a registered key in the middle of a chain decides although nothing names it`() throws {
    // A knows both intermediates, so that the leaf alone leads to its root; of B's key the client says nothing.
    let lower = try middle.intermediate("Unregistered")
    let device = try lower.leaf("deep device of B")
    world.register(7, root, of: 1, knowing: [lower, middle])
    world.register(8, middle, of: 2)
    #expect(world.verdict(device) == "2/8")
    world.register(8, middle, of: 2, .revoked)
    #expect(world.verdict(device) == "2/8 authority-revoked")
    world.register(8, middle, of: 2, .deleted)
    #expect(world.verdict(device) == "2/8 authority-revoked")
  }

  @Test func `what was registered and deleted without proof refuses nobody`() {
    world.register(7, root, of: 1, knowing: [middle])
    world.register(8, middle, of: 2, .pending)
    #expect(verdicts() == ["1/7"])
  }

  @Test(arguments: [1, 2, 3] as [Int64])
  func `a deleted authority's key that is proven anew decides by its new authority`(_ organization: Int64) {
    world.register(8, middle, of: 2)
    #expect(world.verdict(below) == "2/8")
    world.register(8, middle, of: 2, .deleted)
    #expect(world.verdict(below) == "2/8 authority-revoked")
    world.register(9, middle, of: organization)
    #expect(verdicts() == ["\(organization)/9"])
    world.readAnew()
    #expect(verdicts() == ["\(organization)/9"])
  }

  @Test func `within an organization a living authority goes before a revoked one where chains part`() throws
  {
    // An intermediate that an old and a new root have certified, after the old one was revoked.
    let new = try TestAuthority.root("New root of A")
    let again = try new.intermediate("Intermediate of B", key: middle.key)
    world.register(6, root, of: 1, .revoked, knowing: [middle])
    #expect(world.verdict(below) == "1/6 authority-revoked")
    world.register(7, new, of: 1, knowing: [again])
    #expect(world.verdict(below) == "1/7")
  }

  @Test func `an authority's intermediate that ends takes its devices with it`() throws {
    let short = try root.intermediate("Short") { $0.notAfter = TestClock.now + 60 }
    let device = try short.leaf()
    world.register(7, root, of: 1)
    let peer = try world.connect(device, [short]).get()
    world.now += 61
    #expect(world.told(peer) == "1/7 trust-changed")
    #expect(world.verdict(device, [short]) == "badCertificate")
    #expect(world.verdict(device) == "unknownAuthority")
  }
}
