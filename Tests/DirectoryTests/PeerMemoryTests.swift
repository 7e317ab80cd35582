import Cryptography
import Fixtures
import FoundationEssentials
import Issuance
import Licensing
import PKIX
import Testing

@testable import Directory

/// What a kept certificate costs. It is measured alone, with `USHER_MEASURE=1 swift test --filter PeerMemoryTests`: the
/// memory of a process is everybody's.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["USHER_MEASURE"] != nil, "USHER_MEASURE is not set"))
struct PeerMemoryTests {
  private static let count = 4000

  @Test func `a kept certificate takes no more than is counted for it`() throws {
    let world = World()
    let root = try TestAuthority.root()
    world.register(7, root, of: 1)
    let key = try PrivateKey(generating: .p256)
    let leaves = try (0..<Self.count).map { number in
      try root.leaf("device-\(number)", key: key) { $0.names = [.uri(Array("urn:device:\(number)".utf8))] }
        .certificate.der
    }
    let before = try resident()
    for (number, der) in leaves.enumerated() {
      let peer = try world.verifier.peer(of: Certificate(der: der), presented: [], under: nil)
      #expect(
        world.directory.recognize(
          peer, through: [], as: standing(Int64(number) + 1), rules: 1, epoch: world.directory.epoch))
    }
    let bytes = (try resident() - before) / Self.count
    print("a kept certificate takes", bytes, "bytes")
    #expect(bytes <= TrustDirectory.bytesPerPeer)
  }

  private func standing(_ key: Int64) -> CertificateStanding {
    let identity = Identity(
      record: Record(
        key: Key(key), id: Identifier(high: 1, low: UInt64(key)), externalID: nil, metadata: [:],
        createdAt: Instant(seconds: 0), updatedAt: Instant(seconds: 0), revision: 1),
      organization: Key(1), name: IdentityName("urn:device:\(key)")!, role: .device, attributes: [:],
      status: .active, external: nil)
    return CertificateStanding(certificate: Key(key), status: .active, identity: identity)
  }

  /// Bytes of this process in memory.
  private func resident() throws -> Int {
    let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")[1]
    return (Int(pages) ?? 0) * 4096
  }
}
