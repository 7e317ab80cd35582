/// The internal key of a row, typed by what the row is, so that an identity's key is never taken for a license's.
///
/// Keys never leave the service; the outside sees an `Identifier`.
public struct Key<Entity>: Sendable, Hashable {
  public let rawValue: Int64
  public init(_ rawValue: Int64) { self.rawValue = rawValue }
}
