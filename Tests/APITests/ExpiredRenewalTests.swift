import Directory
import HTTP
import Issuance
import Licensing
import PKIX
import Reactor
import Testing

@testable import API

/// An expired certificate may renew itself for a while, and do nothing else.
struct ExpiredRenewalTests {
  @Test(arguments: [
    ("POST", "/v1/certificates", 1, true), ("POST", "/v1/certificates", 2_592_000, true),
    ("POST", "/v1/certificates", 2_592_001, false), ("GET", "/v1/certificates", 1, false),
    ("GET", "/v1/identity", 1, false), ("GET", "/v1/identity", 0, true),
  ])
  func `seconds after its end`(_ method: String, _ path: String, _ late: Int, _ isServed: Bool) async throws {
    let peer = Peers.device.peer
    let feed = FeedHealth(staleSeconds: 60)
    feed.succeeded(begunAt: .now)
    let now = peer.certificate.notAfter + Int64(late)
    let directory = TrustDirectory()
    let gate = DeviceGate(
      directory: directory,
      recognizer: Recognizer(
        directory: directory, trust: Unreachable(), units: Unreachable(), on: requestLoops,
        makeID: { Identifier(high: 1, low: 2) }), feed: feed, clock: { now })
    let request = try Request(method, path, headers: [], body: [])
    do {
      _ = try await gate.authenticate(peer, request)
      #expect(isServed)
    } catch let problem as Problem {
      #expect(!isServed && problem.code == "certificate-expired", "\(problem)")
    }
  }
}

extension Unreachable: TrustSource {
  private var away: StorageError { .unavailable("connection refused") }

  func snapshot() async throws(StorageError) -> TrustSnapshot { throw away }
  func changes(since cursor: ChangeCursor) async throws(StorageError) -> ChangeBatch { throw away }
  func organization(_ key: Key<Organization>) async throws(StorageError) -> OrganizationTrust? { throw away }
  func identities(_ wanted: [TenantKey<Identity>]) async throws(StorageError) -> [Identity] { throw away }
  func status(ofCertificates wanted: [TenantKey<CertificateRecord>]) async throws(StorageError)
    -> [StoredStatus]
  { throw away }
  func listings(of serialNumbers: [String], under authority: Key<Authority>) async throws(StorageError)
    -> [Listing]
  { throw away }
  func standings(ofCertificates fingerprints: [[UInt8]], under authority: Key<Authority>)
    async throws(StorageError) -> [[UInt8]: CertificateStanding]
  { throw away }
}
