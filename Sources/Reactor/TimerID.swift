/// A timer that was set. Once it has fired or was cancelled, its id finds nobody.
public struct TimerID: Hashable, Sendable {
  let index: Int32
  let generation: UInt32
}
