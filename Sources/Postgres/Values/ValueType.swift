/// A type of the server's by its OID (pg_type.dat), for those that Usher sends and reads.
public struct ValueType: RawRepresentable, Sendable, Hashable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static let bool = ValueType(rawValue: 16)
  public static let bytea = ValueType(rawValue: 17)
  public static let name = ValueType(rawValue: 19)
  public static let int8 = ValueType(rawValue: 20)
  public static let int2 = ValueType(rawValue: 21)
  public static let int4 = ValueType(rawValue: 23)
  public static let text = ValueType(rawValue: 25)
  public static let json = ValueType(rawValue: 114)
  public static let float8 = ValueType(rawValue: 701)
  public static let unknown = ValueType(rawValue: 705)
  public static let bpchar = ValueType(rawValue: 1042)
  public static let varchar = ValueType(rawValue: 1043)
  public static let timestamptz = ValueType(rawValue: 1184)
  public static let void = ValueType(rawValue: 2278)
  public static let uuid = ValueType(rawValue: 2950)
  public static let jsonb = ValueType(rawValue: 3802)

  public static let boolArray = ValueType(rawValue: 1000)
  public static let byteaArray = ValueType(rawValue: 1001)
  public static let int2Array = ValueType(rawValue: 1005)
  public static let int4Array = ValueType(rawValue: 1007)
  public static let textArray = ValueType(rawValue: 1009)
  public static let int8Array = ValueType(rawValue: 1016)
  public static let float8Array = ValueType(rawValue: 1022)
  public static let timestamptzArray = ValueType(rawValue: 1185)
  public static let uuidArray = ValueType(rawValue: 2951)
  public static let jsonbArray = ValueType(rawValue: 3807)

  /// Made by CREATE TYPE: enumerations and such, which look like text.
  var isUserDefined: Bool { rawValue >= 16384 }
}
