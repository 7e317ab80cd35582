import Glibc
import JSON

/// The x509-limbo cases, from the folder that `USHER_TEST_DATA` names.
public struct LimboSuite: Sendable {
  /// The JSON, as `usher verify-chain` reads it.
  public let text: [UInt8]
  public let cases: [LimboCase]

  /// Whether there is a folder to read from.
  public static var isThere: Bool { unsafe getenv("USHER_TEST_DATA") != nil }

  /// Reads them.
  public init() throws {
    // SAFETY: nobody changes the environment while tests run.
    let folder = unsafe getenv("USHER_TEST_DATA").map { unsafe String(cString: $0) } ?? ""
    text = try TemporaryFolder.contents(of: folder + "/limbo-client.json")
    guard case .array(let values) = try JSONValue(parsing: text)["testcases"] else { throw Unreadable() }
    cases = values.compactMap(LimboCase.init)
    guard cases.count == values.count, !cases.isEmpty else { throw Unreadable() }
  }

  struct Unreadable: Error {}
}
