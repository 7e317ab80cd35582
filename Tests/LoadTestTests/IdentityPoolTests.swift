import Fixtures
import Foundation
import PKIX
import TLS
import Testing

@testable import LoadTest

@Suite struct IdentityPoolTests {
  @Test func `keys are kept between runs, certificates are not`() async throws {
    let folder = try TemporaryFolder()
    let cache = KeyCache(folder: folder.path + "/keys")
    let first = try await IdentityPool.make(3, organizations: 2, sendsAuthority: true, keys: cache)
    let second = try await IdentityPool.make(3, organizations: 2, sendsAuthority: false, keys: cache)
    func keys(_ pool: IdentityPool) -> [[UInt8]] {
      pool.identities.map { $0.credential.chain[0].subjectPublicKeyInfo }
    }
    #expect(keys(first) == keys(second))
    #expect(first.identities.map(\.organization) == [0, 1, 0])
    #expect(first.identities.map(\.credential.chain.count) == [2, 2, 2])
    #expect(second.identities.map(\.credential.chain.count) == [1, 1, 1])
    #expect(first.authorities[0].der != second.authorities[0].der)
    #expect(first.identities[1].credential.chain[0].issuer == first.authorities[1].subject)
    let mode = try FileManager.default.attributesOfItem(atPath: folder.path + "/keys/p256-0.pem")[
      .posixPermissions]
    #expect(mode as? Int == 0o600)
  }
}
