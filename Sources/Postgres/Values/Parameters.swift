/// The parameters of one execution, `$1` first, in the server's binary form and in one buffer.
///
/// Each append also says the parameter's type to the server, so write `$1::my_enum` or `$1::inet` where a text
/// becomes something else.
public struct Parameters: Sendable {
  private(set) var bytes: [UInt8] = []
  /// Where each value begins in `bytes`.
  private(set) var offsets: [Int] = []
  /// Each value's length; -1 is NULL.
  private(set) var lengths: [Int32] = []
  private(set) var types: [UInt32] = []

  public init() {}

  /// How many there are.
  public var count: Int { types.count }

  /// Empties them and keeps the memory.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    offsets.removeAll(keepingCapacity: true)
    lengths.removeAll(keepingCapacity: true)
    types.removeAll(keepingCapacity: true)
  }

  /// Appends a value, or NULL.
  public mutating func append<Value: PostgresValue>(_ value: Value?) {
    let start = bytes.count
    if let value {
      bytes.append(addingCapacity: value.encodedSize) { value.encode(into: &$0) }
    }
    finish(Value.type, from: start, isNull: value == nil)
  }

  /// Appends an array, or NULL.
  public mutating func append<Value: PostgresValue>(_ values: [Value]?) {
    appendArray(of: Value.self, values) { $0 }
  }

  /// Appends an array in which elements may be NULL.
  public mutating func append<Value: PostgresValue>(_ values: [Value?]) {
    appendArray(of: Value.self, values) { $0 }
  }

  // The arrays of large batches, without a witness call for each element.
  public mutating func append(_ values: [Int64]?) { appendArray(of: Int64.self, values) { $0 } }
  public mutating func append(_ values: [Int32]?) { appendArray(of: Int32.self, values) { $0 } }
  public mutating func append(_ values: [Int16]?) { appendArray(of: Int16.self, values) { $0 } }
  public mutating func append(_ values: [String]?) { appendArray(of: String.self, values) { $0 } }

  /// Appends a `timestamptz`: microseconds since 1970; `Int64.max` is `infinity`.
  public mutating func append(timestamp microseconds: Int64?) { append(microseconds.map(Timestamp.init)) }

  public mutating func append(timestamps microseconds: [Int64]) {
    appendArray(of: Timestamp.self, microseconds) { Timestamp($0) }
  }

  public mutating func append(timestamps microseconds: [Int64?]) {
    appendArray(of: Timestamp.self, microseconds) { $0.map(Timestamp.init) }
  }

  /// Appends a `uuid`.
  public mutating func append(uuid: UUIDHalves?) { append(uuid.map(UniqueID.init)) }

  public mutating func append(uuids: [UUIDHalves]) { appendArray(of: UniqueID.self, uuids) { UniqueID($0) } }

  public mutating func append(uuids: [UUIDHalves?]) {
    appendArray(of: UniqueID.self, uuids) { $0.map(UniqueID.init) }
  }

  /// Appends a `jsonb`, given as JSON text in UTF-8.
  public mutating func append(json text: [UInt8]?) { append(text.map(JSONText.init)) }

  /// An array on the wire: dimensions (0 when empty), whether there are NULLs, element type, then per dimension its
  /// size and lower bound, then each element with its length (`array_send` in the server's arrayfuncs.c).
  private mutating func appendArray<Element, Value: PostgresValue>(
    of: Value.Type, _ elements: [Element]?, _ value: (Element) -> Value?
  ) {
    let start = bytes.count
    if let elements {
      var size = 20
      var hasNull = false
      for element in elements {
        let value = value(element)
        size += 4 + (value?.encodedSize ?? 0)
        hasNull = hasNull || value == nil
      }
      bytes.append(addingCapacity: size) { output in
        output.append(bigEndian: Int32(elements.isEmpty ? 0 : 1))
        output.append(bigEndian: Int32(hasNull ? 1 : 0))
        output.append(bigEndian: Value.type.rawValue)
        if elements.isEmpty { return }
        output.append(bigEndian: Int32(elements.count))
        output.append(bigEndian: Int32(1))
        for element in elements {
          guard let value = value(element) else {
            output.append(bigEndian: Int32(-1))
            continue
          }
          output.append(bigEndian: Int32(value.encodedSize))
          value.encode(into: &output)
        }
      }
    }
    finish(Value.arrayType, from: start, isNull: elements == nil)
  }

  private mutating func finish(_ type: ValueType, from start: Int, isNull: Bool) {
    offsets.append(start)
    lengths.append(isNull ? -1 : Int32(bytes.count - start))
    types.append(type.rawValue)
  }

  /// Lends pointers to the values, their lengths, and their formats (all binary), as libpq takes them.
  func withValues<Result>(
    _ body: (
      UnsafeBufferPointer<UnsafePointer<CChar>?>, UnsafeBufferPointer<Int32>, UnsafeBufferPointer<Int32>
    ) -> Result
  ) -> Result {
    // SAFETY: each pointer is into `bytes`, which does not move meanwhile; everything is initialized to `count`.
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: count) { values in
        unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: count) { formats in
          unsafe formats.initialize(repeating: 1)
          for (index, offset) in offsets.enumerated() {
            // An empty value is not NULL, so it needs an address, any address.
            let start = unsafe bytes.baseAddress ?? UnsafeRawPointer(values.baseAddress)
            let value = unsafe lengths[index] < 0 ? nil : start.map { unsafe $0 + offset }
            unsafe values.initializeElement(at: index, to: value?.assumingMemoryBound(to: CChar.self))
          }
          return unsafe lengths.withUnsafeBufferPointer { lengths in
            unsafe body(UnsafeBufferPointer(values), lengths, UnsafeBufferPointer(formats))
          }
        }
      }
    }
  }
}
