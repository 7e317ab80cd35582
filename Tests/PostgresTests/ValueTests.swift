import Fixtures
import Reactor
import Testing

@testable import Postgres

/// Values on their way to the server and back.
@Suite struct ValueTests {
  @Test func `every type survives the way to the server and back`() async throws {
    let row = try await Fixture.withClient { try #require(try await $0.read(Echo()).first) }
    #expect(row.text == "Grüße, 世界")
    #expect(row.numbers == [.max, -1, 2, Int64(Int32.min), 0])
    #expect(row.flag)
    #expect(row.bytes == [0, 255, 1])
    #expect(row.timestamps == [0, 1_234_567, -1, .max, .min])
    #expect(row.uuid.high == 0x0123_4567_89ab_cdef && row.uuid.low == .max)
    #expect(row.double == -0.5)
    #expect(row.json == #"{"a": [1]}"#)
    #expect(row.empty == "" && row.emptyBytes == [])
    #expect(row.texts == ["", "a,\"b\"", "{}"])
    #expect(row.nothing == nil && row.noNumbers == nil)
    #expect(row.blobs == [[], [1, 2]])
    #expect(row.uuids.map(\.low) == [1, 2])
    #expect(row.emptyArray == [])
    #expect(row.nulls == 2)
    #expect(row.label == "blue")
  }

  struct Echo: Statement {
    struct Row {
      var text, json, empty, label: String
      var numbers: [Int64], timestamps: [Int64], emptyArray: [Int64]
      var flag: Bool
      var bytes, emptyBytes: [UInt8]
      var uuid: UUIDHalves
      var double: Double
      var texts: [String]
      var nothing: String?
      var noNumbers: [Int64]?
      var blobs: [[UInt8]]
      var uuids: [UUIDHalves]
      var nulls: Int64
    }

    static var sql: StaticString {
      """
      SELECT $1, ARRAY[$2, $3, $4, $5, 0], $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
        (SELECT count(*) FROM unnest($20) AS n WHERE n IS NULL), 'blue'::varchar
      """
    }

    func bind(_ parameters: inout Parameters) {
      parameters.append("Grüße, 世界")
      parameters.append(Int64.max)
      parameters.append(Int32(-1))
      parameters.append(Int16(2))
      parameters.append(Int32.min)
      parameters.append(true)
      parameters.append([0, 255, 1] as [UInt8])
      parameters.append(timestamps: [0, 1_234_567, -1, .max, .min])
      parameters.append(uuid: (0x0123_4567_89ab_cdef, .max))
      parameters.append(-0.5)
      parameters.append(json: Array(#"{"a":[1]}"#.utf8))
      parameters.append("")
      parameters.append([] as [UInt8])
      parameters.append(["", "a,\"b\"", "{}"])
      parameters.append(nil as String?)
      parameters.append(nil as [Int64]?)
      parameters.append([[], [1, 2]] as [[UInt8]])
      parameters.append(uuids: [(0, 1), (0, 2)])
      parameters.append([] as [Int64])
      parameters.append([nil, 1, nil] as [Int64?])
    }

    static func row(_ columns: borrowing Columns) throws(PostgresError) -> Row {
      Row(
        text: try columns.string(0), json: try columns.string(7), empty: try columns.string(8),
        label: try columns.string(17), numbers: try columns.int64Array(1),
        timestamps: try columns.timestampArray(4),
        emptyArray: try columns.int64Array(15), flag: try columns.bool(2), bytes: try columns.bytes(3),
        emptyBytes: try columns.bytes(9), uuid: try columns.uuid(5), double: try columns.double(6),
        texts: try columns.stringArray(10), nothing: try columns.optionalString(11),
        noNumbers: try columns.optionalArray(12), blobs: try columns.bytesArray(13),
        uuids: try columns.uuidArray(14), nulls: try columns.int64(16))
    }
  }

  @Test(arguments: [
    [UInt8](), [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 20],
    // Two dimensions; another element type; an element that ends behind the end; a NULL; a count that is not there.
    [0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1],
    [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 25, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 65],
    [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 8, 1, 2, 3],
    [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 20, 0, 0, 0, 1, 0, 0, 0, 1, 255, 255, 255, 255],
    [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 20, 127, 255, 255, 255, 0, 0, 0, 1],
  ])
  func `bytes that are no array are refused`(bytes: [UInt8]) {
    #expect([Int64](decodingArray: bytes.span) == nil)
  }

  @Test func `what cannot be read says which column and why`() async throws {
    try await Fixture.withClient { client async throws in
      await #expect(throws: PostgresError.decoding("column 0 (n) is NULL")) { try await client.read(Null()) }
      await #expect(
        throws: PostgresError.decoding("column 0 (t) has the type 25, which cannot be read as Int64")
      ) {
        try await client.read(Mistyped())
      }
      await #expect(throws: PostgresError.decoding("column 1 is not there")) {
        try await client.read(Missing())
      }
    }
  }

  struct Null: Statement {
    static var sql: StaticString { "SELECT NULL::bigint AS n" }
    static func row(_ columns: borrowing Columns) throws(PostgresError) -> Int64 { try columns.int64(0) }
  }

  struct Mistyped: Statement {
    static var sql: StaticString { "SELECT 'x'::text AS t" }
    static func row(_ columns: borrowing Columns) throws(PostgresError) -> Int64 { try columns.int64(0) }
  }

  struct Missing: Statement {
    static var sql: StaticString { "SELECT 1" }
    static func row(_ columns: borrowing Columns) throws(PostgresError) -> Int64 { try columns.int64(1) }
  }
}
