/// What other servers must hear of: trust, status, configuration, and the loss of seats; never grants or renewals.
///
/// A change says where to look again, not what is there: applying one twice, or late, does no harm.
public enum Change: Sendable, Hashable {
  case organization(Key<Organization>)
  case authority(Key<Organization>, authority: Int64)
  case identity(Key<Organization>, Key<Identity>)
  case certificate(Key<Organization>, certificate: Int64)
  case license(Key<Organization>, Key<Product>)
  /// This identity's seat of this product was taken from it.
  case seatLost(Key<Organization>, Key<Product>, Key<Identity>)
  case product(Key<Product>)
}
