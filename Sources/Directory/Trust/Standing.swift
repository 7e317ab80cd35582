internal import Synchronization

/// Whether something still stands: one for each organization, authority, identity and certificate in memory.
///
/// Every peer holds those it depends on, so that one store by the change feed is seen under all of them at once.
public final class Standing: Sendable {
  public enum State: UInt8, Sendable { case good, suspended, revoked, deleted }

  private static let foundMark: UInt8 = 0x80

  private let raw: Atomic<UInt8>

  /// As the database was found to have it.
  public init(_ state: State = .good) { raw = Atomic(state.rawValue | Self.foundMark) }

  /// What is set is a change that was heard of.
  public var state: State {
    get { State(rawValue: raw.load(ordering: .acquiring) & ~Self.foundMark) ?? .deleted }
    set { raw.store(newValue.rawValue, ordering: .releasing) }
  }

  /// Takes over what the database was found to have.
  func find(_ state: State) {
    if state != self.state { raw.store(state.rawValue | Self.foundMark, ordering: .releasing) }
  }

  /// Whether it was lost already when the database was first asked, and no change was heard of since.
  var wasFoundLost: Bool {
    let raw = raw.load(ordering: .acquiring)
    return raw & Self.foundMark != 0 && raw != State.good.rawValue | Self.foundMark
  }
}
