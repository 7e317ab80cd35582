/// What an app is told beside its features, as the vendor wrote it: a JSON object, passed through unread.
///
/// The organization has one, the license and the identity each another; member by member the identity's wins, then the
/// license's. The database merges them.
public struct Config: Sendable, Hashable {
  /// An object without members.
  public static let empty = Config(json: Array("{}".utf8))

  /// JSON text in UTF-8.
  public let json: [UInt8]

  /// `json` is the text of one JSON object.
  public init(json: [UInt8]) { self.json = json }
}
