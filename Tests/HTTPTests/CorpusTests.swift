import Cryptography
import FoundationEssentials
import HTTP
import Testing

/// 227 raw requests of h1spec, llhttp and the HTTP Garden, which live outside this repository.
struct CorpusTests {
  struct Case: Decodable, CustomTestStringConvertible {
    enum Expectation: String, Decodable { case reject, accept, wait, any }

    let id: String
    let raw: [UInt8]
    let expect: Expectation

    enum CodingKeys: CodingKey { case id, raw, expect }

    /// The bytes are read as text: Foundation's own way from base64 to `Data` leaks.
    init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: CodingKeys.self)
      id = try members.decode(String.self, forKey: .id)
      guard let raw = Base64.decode(try members.decode(String.self, forKey: .raw)) else {
        throw DecodingError.dataCorruptedError(forKey: .raw, in: members, debugDescription: "not base64")
      }
      self.raw = raw
      expect = try members.decode(Expectation.self, forKey: .expect)
    }

    var testDescription: String { id }
  }

  static let folder = ProcessInfo.processInfo.environment["USHER_TEST_DATA"]

  static let cases: [Case] = {
    guard let folder, let data = try? Data(contentsOf: URL(filePath: "\(folder)/h1corpus.json")) else {
      return []
    }
    return (try? JSONDecoder().decode([Case].self, from: data)) ?? []
  }()

  static let refusals: Set = [400, 411, 413, 414, 417, 431, 501, 505]
  static let sentinel = Array("GET /sentinel HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)

  @Test(.enabled(if: folder != nil, "USHER_TEST_DATA names no folder with h1corpus.json"))
  func `The corpus is there and complete`() {
    #expect(CorpusTests.cases.count == 227)
  }

  @Test(
    .enabled(if: folder != nil, "USHER_TEST_DATA names no folder with h1corpus.json"), arguments: cases)
  func `A request of the corpus is refused, read or waited for`(_ example: Case) {
    let raw = example.raw
    let conversation = Conversation(raw)
    let statuses = conversation.statuses
    // A request that follows on a connection still open shows where the parser believes to be.
    let followed = statuses.isEmpty || !conversation.isOpen ? nil : Conversation(raw + CorpusTests.sentinel)
    let answersToSentinel = followed.map { $0.statuses.count - statuses.count } ?? 0
    let isRefused = statuses.first.map(CorpusTests.refusals.contains) ?? false

    switch example.expect {
    case .reject:
      #expect(isRefused || statuses.isEmpty)
      #expect(statuses.count <= 1 && answersToSentinel == 0)
    case .accept:
      #expect(!statuses.isEmpty && !isRefused)
    case .wait:
      #expect(statuses.isEmpty && conversation.isOpen)
    case .any:
      break
    }
  }

  @Test(
    .enabled(if: folder != nil, "USHER_TEST_DATA names no folder with h1corpus.json"), arguments: cases)
  func `A request of the corpus means the same however it is cut`(_ example: Case) {
    let raw = example.raw + CorpusTests.sentinel
    let whole = Conversation(raw)
    for size in [1, 2, 3, 7, 16, 61] {
      #expect(Conversation(raw, inPiecesOf: size) == whole, "in pieces of \(size)")
    }
  }
}
