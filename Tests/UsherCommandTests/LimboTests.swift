import Fixtures
import JSON
import Testing

@testable import UsherCommand

/// The x509-limbo cases with client certificates, as `usher verify-chain` answers them.
struct LimboTests {
  @Test(.enabled(if: LimboSuite.isThere, "USHER_TEST_DATA names no folder"))
  func `x509-limbo agrees with verify-chain but for the named differences`() throws {
    let suite = try LimboSuite()
    let text = try ChainSuite.answer(to: suite.text, now: TestClock.now)
    let results = try JSONValue(parsing: Array(text.utf8))["results"]
    guard case .array(let results) = results, results.count == suite.cases.count else {
      Issue.record("not as many results as cases")
      return
    }
    var agreements = 0
    for (test, result) in zip(suite.cases, results) {
      #expect(result["id"] == .string(test.id))
      let isAccepted = result["actual_result"] == .string("SUCCESS")
      agreements += isAccepted == test.isSuccessExpected ? 1 : 0
      let fault = LimboDifferences.fault(in: isAccepted, on: test, "\(result["context"] ?? .null)")
      #expect(fault == nil)
    }
    let unknown = Set(LimboDifferences.all.keys).subtracting(suite.cases.map(\.id))
    #expect(unknown.isEmpty, "the table names cases that do not exist: \(unknown)")
    let lax = LimboDifferences.all.values.count(where: \.isLax)
    print(
      "x509-limbo: \(agreements) of \(results.count) agree; \(lax) accepted and",
      "\(LimboDifferences.all.count - lax) refused by decision")
  }
}
