import Fixtures
import Licensing
import Testing

@testable import Directory

/// A host name of an organization's own serves its certificates alone.
struct HostNameTests {
  private let world = World()
  private let one: TestIdentity, other: TestIdentity

  init() throws {
    let (first, second) = (try TestAuthority.root("One"), try TestAuthority.root("Other"))
    one = try first.leaf()
    other = try second.leaf()
    world.register(1, first, of: 1)
    world.register(2, second, of: 2)
    world.organize(1, hostname: "one.example.com")
  }

  @Test func `it serves its own organization and no other`() {
    #expect(world.verdict(one, host: "one.example.com") == "1/1")
    #expect(world.verdict(other, host: "one.example.com") == "unknownAuthority")
  }

  @Test(arguments: [nil, "localhost", "two.example.com"]) func `every other name serves all`(_ host: String?)
  {
    #expect(world.verdict(one, host: host) == "1/1")
    #expect(world.verdict(other, host: host) == "2/2")
  }

  @Test func `a session ends when its name becomes another organization's`() throws {
    let peer = try world.connect(other, host: "two.example.com").get()
    #expect(world.verifier.stillStands(peer, under: "two.example.com"))
    world.organize(1, hostname: "two.example.com")
    #expect(!world.verifier.stillStands(peer, under: "two.example.com"))
    #expect(world.verifier.stillStands(peer, under: "one.example.com"), "that one is nobody's now")
    #expect(!world.directory.serves(peer.organization, under: "two.example.com"))
  }

  @Test func `it is asked for in the handshake, and nobody's after the organization is gone`() throws {
    #expect(world.directory.isReserved(host: "one.example.com"))
    #expect(!world.directory.isReserved(host: "localhost") && !world.directory.isReserved(host: nil))
    world.organize(1, .deleted)
    #expect(!world.directory.isReserved(host: "one.example.com"))
  }
}
