internal import Synchronization

/// Whether something still stands: one for each organization, authority, identity and certificate in memory.
///
/// Every peer holds those it depends on, so that one store by the change feed is seen under all of them at once.
public final class Standing: Sendable {
  public enum State: UInt8, Sendable { case good, suspended, revoked, deleted }

  private let raw: Atomic<UInt8>

  public init(_ state: State = .good) { raw = Atomic(state.rawValue) }

  public var state: State {
    get { State(rawValue: raw.load(ordering: .acquiring)) ?? .deleted }
    set { raw.store(newValue.rawValue, ordering: .releasing) }
  }
}
