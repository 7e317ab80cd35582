/// One step of the schema, forward only.
public struct Migration: Sendable {
  /// Steps are applied in this order, without gaps, beginning with 1.
  public let version: Int32
  /// The file's name without its number.
  public let name: String
  /// The lowest `version` a binary must know to work with the schema after this step: raised by a step that contracts.
  public let minimumBinary: Int32
  public let sql: String

  init(_ version: Int32, _ name: String, minimumBinary: Int32, _ bytes: [UInt8]) {
    self.version = version
    self.name = name
    self.minimumBinary = minimumBinary
    sql = String(decoding: bytes, as: UTF8.self)
  }
}
