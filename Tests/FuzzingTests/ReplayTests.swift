import Fixtures
import Foundation
import Fuzzing
import Testing

/// What fuzzing found or began with stays harmless.
struct ReplayTests {
  @Test(arguments: FuzzTarget.allCases)
  func `every input of a corpus is read without surprise`(target: FuzzTarget) throws {
    let folder = #filePath.replacing(
      "Tests/FuzzingTests/ReplayTests.swift", with: "Fuzz/Corpora/\(target.rawValue)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(names.count >= 3)
    for name in names {
      let bytes = try TemporaryFolder.contents(of: "\(folder)/\(name)")
      target.run(bytes)
      // Damage at every 16th byte is a cheap walk through the error paths.
      for index in stride(from: 0, to: min(bytes.count, 2048), by: 16) {
        var damaged = bytes
        damaged[index] ^= 0x41
        target.run(damaged)
      }
    }
  }
}
