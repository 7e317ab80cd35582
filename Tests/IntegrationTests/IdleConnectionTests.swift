import Foundation
import Reactor
import Testing

/// Connections that do nothing cost memory, and nothing else.
struct IdleConnectionTests {
  /// A tenth of what `Benchmarks/idle` holds.
  private static let count =
    ProcessInfo.processInfo.environment["USHER_TEST_CONNECTIONS"].flatMap { Int($0) } ?? 1000

  @Test func `many idle connections and a slow client delay nobody`() async throws {
    OpenFileLimit.raise()
    let server = try Installation()
    let tenant = try server.makeTenant(seats: Self.count + 1)
    let device = try tenant.enroll("someone")
    #expect(try device.claim(tenant.product).status == 201)

    let crowd = try Crowd(Self.count, of: tenant)
    // What is made only once is there before anything is counted.
    let first = 100
    #expect(await crowd.claim(crowd.everybody.filter { $0 < first }).held.count == first)
    let before = (bytes: try server.process.residentBytes(), descriptors: try server.openDescriptors())
    let start = MonotonicInstant.now
    let held = await crowd.claim(crowd.everybody.filter { $0 >= first })
    let time = start.duration(to: .now)
    #expect(held.held.count == Self.count - first, "\(held.unknown.first.debugDescription) \(held.refusals)")

    let each = (try server.process.residentBytes() - before.bytes) / (Self.count - first)
    print("idle: \(Self.count) connections, \(each) bytes each, all seated within \(time)")
    if ProcessInfo.processInfo.environment["USHER_TEST_SANITIZER"] == nil { #expect(each < 80 * 1024) }

    let (longest, lasted, said) = try checks(by: device, of: tenant)
    print("idle: the longest check took \(longest), curl's start included; the slow client had \(lasted)")
    #expect(longest < .seconds(3))
    #expect(lasted >= .seconds(9) && lasted < .seconds(20), "\(lasted)")
    #expect(said.hasPrefix("HTTP/1.1 408 "), "\(said)")
    #expect(try server.openDescriptors() >= before.descriptors + Self.count - first, "all are still there")
    withExtendedLifetime(crowd) {}
  }

  /// Checks its seat each time that another client has sent one more byte of a request, until that one is cut.
  private func checks(
    by device: Device, of tenant: Tenant
  ) throws -> (longest: Duration, lasted: Duration, said: String) {
    let slow = try LiveConnection(device)
    let start = MonotonicInstant.now
    var longest = Duration.zero
    for byte in "GET /v1/seats/\(tenant.product) HTTP/1.1\r\nHost: localhost\r\n".utf8 {
      try slow.send([byte])
      let (check, time) = try Stopwatch.time { try device.check(tenant.product) }
      #expect(check.status == 200, "\(check)")
      longest = max(longest, time)
      if slow.endsWithin(seconds: 1) { break }
    }
    return (longest, start.duration(to: .now), slow.received())
  }
}
