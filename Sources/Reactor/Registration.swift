/// A source's place on its loop.
///
/// Its id is used once, so that an event that was already under way when the source left finds nobody, even when the
/// kernel has given its descriptor's number to another connection since.
public struct Registration: Hashable, Sendable {
  let id: UInt64
  let descriptor: Int32
}
