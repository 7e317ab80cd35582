public import Licensing

/// The lists that strangers fetch: the last few stay in memory, and the database is only asked whether they are the last.
public actor RevocationListShelf {
  private struct Kept {
    let version: RevocationListVersion
    let der: [UInt8]
  }

  private let store: any RevocationStore
  private let publisher: RevocationPublisher
  private let clock: @Sendable () -> Int64
  private let capacity: Int
  private var lists: [Identifier: Kept] = [:]
  private var size = 0

  /// Keeps at most `capacity` bytes.
  public init(
    store: any RevocationStore, publisher: RevocationPublisher, capacity: Int = 64 << 20,
    clock: @escaping @Sendable () -> Int64
  ) {
    self.store = store
    self.publisher = publisher
    self.capacity = capacity
    self.clock = clock
  }

  /// The list of an authority of ours, with its bytes, made now if it should be there by now; nil: no such authority.
  ///
  /// Thrown: `.unavailable` when there is none that is still good.
  public func list(of authority: Identifier) async throws(StorageError) -> PublishedRevocationList? {
    if let found = try await read(authority), clock() <= found.nextUpdate.seconds { return found }
    guard let signing = try await store.signingAuthority(authority) else {
      drop(authority)
      return nil
    }
    let round = try await publisher.publish(for: signing.authority.organization)
    // It may be under way elsewhere, as the first one is just after its authority was made.
    for turn in 0..<Self.looks {
      if let found = try await read(authority), clock() <= found.nextUpdate.seconds { return found }
      guard round.isUnfinished, round.failures.isEmpty, turn + 1 < Self.looks,
        (try? await Task.sleep(for: .milliseconds(100))) != nil
      else { break }
    }
    throw .unavailable("no revocation list that is still good")
  }

  /// So often a list that somebody else is making is looked for.
  private static let looks = 30

  private func read(_ authority: Identifier) async throws(StorageError) -> PublishedRevocationList? {
    let known = lists[authority]
    guard let found = try await store.publishedList(of: authority, unless: known?.version) else { return nil }
    guard let der = found.der else {
      return PublishedRevocationList(
        version: found.version, thisUpdate: found.thisUpdate, nextUpdate: found.nextUpdate, der: known?.der)
    }
    drop(authority)
    if size + der.count > capacity {
      lists.removeAll()
      size = 0
    }
    lists[authority] = Kept(version: found.version, der: der)
    size += der.count
    return found
  }

  private func drop(_ authority: Identifier) {
    size -= lists.removeValue(forKey: authority)?.der.count ?? 0
  }
}
