import Licensing

/// A seat that memory had, for whoever asks for the same one again: whether it still has it is seen without looking for it.
public struct KnownSeat: Sendable {
  public let held: HeldSeat
  let identity: Key<Identity>
  /// Which product its code meant, by the count of what was forgotten of products.
  let products: UInt64
}
