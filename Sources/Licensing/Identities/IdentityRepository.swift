/// How a path addresses an identity: by name or by id.
public enum IdentityReference: Sendable, Hashable {
  case name(IdentityName)
  case id(Identifier)
}

public protocol IdentityRepository: Sendable {
  /// Nil when there is none, or it is deleted.
  func identity(_ reference: IdentityReference, of organization: Key<Organization>, locked: Bool)
    async throws(StorageError) -> Identity?
  func identities(of organization: Key<Organization>, _ filter: IdentityFilter, _ page: PageRequest)
    async throws(StorageError)
    -> Page<Identity>
  /// Conflicts: `.identityName`, `.externalName` (also that of a deleted one: its tombstone holds the name).
  func insert(_ new: NewIdentity) async throws(StorageError) -> Identity
  /// One that is deleted and not erased; nil for any other.
  func tombstone(_ id: Identifier, of organization: Key<Organization>) async throws(StorageError) -> Identity?
  /// Empties everything that names someone: of a deleted identity only its ids and those of its certificates are left.
  func erase(_ tombstone: Identity) async throws(StorageError)
  /// Status `.deleted` makes the tombstone: its seats are freed and its certificates revoked in the same transaction.
  func update(_ identity: Identity) async throws(StorageError) -> Identity
}
