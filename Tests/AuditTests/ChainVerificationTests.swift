import Cryptography
import JSON
import Licensing
import Testing

@testable import Audit

/// What goes along a chain finds every fault in it, and where.
@Suite struct ChainVerificationTests {
  typealias Row = (event: RecordedEvent?, seal: EventSeal)

  private static let organization = Identifier(high: 7, low: 8)

  private static func event(_ number: Int64, type: String? = nil) -> RecordedEvent {
    RecordedEvent(
      place: EventPlace(at: Instant(seconds: 1_796_000_000 + number), number: number), organization: nil,
      type: type ?? "test.\(number)", author: .system, license: nil, identity: Identifier(high: 1, low: 2),
      generation: nil, detail: Array(#"{"b": "é\n", "aa": 1}"#.utf8), seal: nil)
  }

  /// Events numbered from 1, sealed.
  private static func chain(_ count: Int64, changed: Int64? = nil) throws -> [Row] {
    var link = try ChainLink(startOf: organization)
    return try (1...count).map { number in
      let event = event(number, type: number == changed ? "other" : nil)
      link = try link.next(event)
      return (event, link.seal)
    }
  }

  private func head(of rows: [Row]) throws -> ChainHead {
    let chain = EventChain(
      organization: Self.organization, slug: Slug("acme"), pruned: nil, last: rows.last?.seal)
    return try #require(try ChainHead(chain, at: Instant(seconds: 5)))
  }

  private func findings(_ rows: [Row], end: EventSeal? = nil, heads: [ChainHead] = []) throws
    -> [ChainFinding]
  {
    var verification = ChainVerification(from: try ChainLink(startOf: Self.organization), heads: heads)
    for row in rows { try verification.read(row.event, sealed: row.seal) }
    verification.finish(at: end.flatMap(ChainLink.init))
    verification.checkPruning()
    return verification.findings
  }

  @Test func `a chain as it was written has no fault`() throws {
    let rows = try Self.chain(5)
    #expect(
      try findings(rows, end: rows[4].seal, heads: [head(of: rows), head(of: Array(rows[..<2]))]) == [])
    #expect(try findings([]) == [])
  }

  @Test func `one that is altered is found where it stands, and does not hide the next`() throws {
    var rows = try Self.chain(6)
    rows[1].event = Self.event(2, type: "x")
    rows[4].event = Self.event(5, type: "x")
    #expect(try findings(rows) == [.altered(2), .altered(5)])
  }

  @Test func `one that is missing is found, with its seal or without`() throws {
    let rows = try Self.chain(6)
    var emptied = rows
    emptied[2].event = nil
    #expect(try findings(emptied) == [.missing(3...3)])
    #expect(try findings(Array(rows[..<2] + rows[4...])) == [.missing(3...4)])
    #expect(try findings(Array(rows[1...])) == [.missing(1...1)])
  }

  @Test func `two that changed places are found`() throws {
    var rows = try Self.chain(6)
    (rows[2].event, rows[3].event) = (rows[3].event, rows[2].event)
    #expect(try findings(rows) == [.altered(3), .altered(4)])
  }

  @Test func `an end that was cut off is found by what the database says, or a head that was kept`() throws {
    let rows = try Self.chain(6)
    let cut = Array(rows[..<4])
    #expect(try findings(cut, end: rows[5].seal) == [.truncated(4, was: 6)])
    #expect(try findings(cut, end: cut[3].seal) == [])
    #expect(try findings(cut, end: cut[3].seal, heads: [head(of: rows)]) == [.truncated(4, was: 6)])
    #expect(try findings([], heads: [head(of: rows)]) == [.truncated(0, was: 6)])
  }

  @Test func `a chain that was written anew is found by a head that was kept`() throws {
    let forged = try Self.chain(6, changed: 2)
    #expect(try findings(forged, end: forged[5].seal) == [])
    let kept = try Self.chain(6)
    #expect(try findings(forged, heads: [head(of: kept)]) == [.rewritten(6)])
    #expect(try findings(forged, heads: [head(of: Array(kept[..<1]))]) == [])
  }

  @Test func `a beginning that is gone must have been pruned`() throws {
    let rows = try Self.chain(3)
    let start = try #require(ChainLink(rows[2].seal))
    for (through, wanted) in [("3", []), ("2", [.beheaded(3)]), (nil, [ChainFinding.beheaded(3)])] {
      var verification = ChainVerification(from: start)
      if let through {
        let told = RecordedEvent(
          place: EventPlace(at: Instant(seconds: 9), number: 9), organization: nil, type: EventPruning.type,
          author: .system, license: nil, identity: nil, generation: nil,
          detail: Array(#"{"through":"\#(through)"}"#.utf8), seal: nil)
        try verification.read(told, sealed: start.next(told).seal)
      }
      verification.checkPruning()
      #expect(verification.findings == wanted)
    }
  }

  @Test func `a line of an export is judged as the event, whatever the organization is called since`() throws
  {
    let rows = try Self.chain(3)
    var verification = ChainVerification(from: try ChainLink(startOf: Self.organization))
    for row in rows {
      let told = try #require(row.event)
      let event = RecordedEvent(
        place: told.place, organization: Slug("renamed"), type: told.type, author: told.author,
        license: told.license, identity: told.identity, generation: told.generation, detail: told.detail,
        seal: row.seal)
      var writer = JSONWriter()
      writer.object { writer in event.writeMembers(to: &writer) }
      #expect(try verification.read(line: JSONValue(parsing: writer.bytes)))
    }
    #expect(verification.findings == [] && verification.last.position == 3)
    #expect(try !verification.read(line: JSONValue(parsing: Array(#"{"position":null}"#.utf8))))
  }

  @Test func `what a digest covers is written as RFC 8785 says`() throws {
    let content = try EventContent(Self.event(1), at: 4)
    #expect(
      String(decoding: content.bytes, as: UTF8.self) == #"""
        {"actor":{"kind":"service"},"at":"2026-11-30T00:53:21Z","detail":{"aa":1,"b":"é\n"},"generation":null,"id":"\#(Self.event(1).id)","identity":"00000000-0000-0001-0000-000000000002","license":null,"position":4,"type":"test.1"}
        """#)
  }

  @Test func `a head is believed by its key alone`() throws {
    let key = try PrivateKey(generating: .p256)
    let jwk = try #require(try JSONWebKey(key.publicKey))
    let id = try jwk.thumbprint()
    let head = try head(of: Self.chain(2))
    func signed(_ type: String = ChainHead.type, by signer: PrivateKey) throws -> String {
      try CompactJWS.sign(
        head.claims, header: Array(#"{"alg":"ES256","kid":"\#(id)","typ":"\#(type)"}"#.utf8), by: signer)
    }
    let keys = Array(#"{"keys":[{"kid":"\#(id)",\#(jwk.json.dropFirst())]}"#.utf8)
    #expect(try ChainHead(signed: signed(by: key), keySet: keys) == head)
    #expect(try ChainHead(signed: signed(by: key), keySet: nil) == head)
    let other = try PrivateKey(generating: .p256)
    #expect(throws: ChainHeadFault.self) { try ChainHead(signed: signed(by: other), keySet: keys) }
    #expect(throws: ChainHeadFault.self) { try ChainHead(signed: signed("JWT", by: key), keySet: keys) }
    #expect(throws: ChainHeadFault.self) {
      try ChainHead(signed: signed(by: key), keySet: Array(#"{"keys":[]}"#.utf8))
    }
  }
}
