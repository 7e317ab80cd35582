import Fixtures
import Foundation
import Testing

/// What the way of nearly every request takes from the heap, and that it does not grow unseen.
struct AllocationTests {
  /// In a build without optimization; `Benchmarks/README.md` has the number of a release.
  private static let mostForACheck = 22.0

  /// A sanitizer has an allocator of its own.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["USHER_TEST_SANITIZER"] == nil))
  func `a check of a held seat takes little from the heap`() throws {
    let folder = try TemporaryFolder()
    let counter = folder.path + "/allocations.so"
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Benchmarks/allocations.c").path
    let compiled = try Shell.run(
      "sh",
      [
        "-c", #""$(command -v cc || command -v clang)" -shared -fPIC -O2 -o "$0" "$1""#, counter, source,
      ])
    try #require(compiled.status == 0, "\(compiled.errors)")
    let count = folder.path + "/count"
    let server = try Installation(under: ["env", "LD_PRELOAD=\(counter)", "ALLOCATIONS=\(count)"])
    let tenant = try server.makeTenant(seats: 1)
    let device = try tenant.enroll("someone")
    #expect(try device.claim(tenant.product).status == 201)

    let connection = try LiveConnection(device)
    func check(times: Int) throws -> UInt64 {
      for _ in 0..<times {
        let answer = try connection.get("/v1/seats/\(tenant.product)")
        #expect(answer.hasPrefix("HTTP/1.1 200 "))
      }
      return try folder.read("count").reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    var before = try check(times: 100)
    // What the server does meanwhile besides, such as asking for changes, falls into some of the rounds, not into all.
    let rounds = try (0..<60).map { _ in
      let after = try check(times: 20)
      defer { before = after }
      return Double(after - before) / 20
    }
    let each = try #require(rounds.min())
    print("allocations: \(each) for each check, \(rounds.max() ?? 0) in the worst round")
    #expect(each <= Self.mostForACheck)
  }
}
