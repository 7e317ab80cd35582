/// What storage can answer instead of a result.
public enum StorageError: Error, Sendable {
  /// Nothing was done: the database cannot be reached, or did not answer in time.
  case unavailable(String)
  /// It may or may not have been done: the connection was lost between the request and its answer.
  case outcomeUnknown(String)
  /// A name or key is taken.
  case conflict(Conflict)
  /// A fault of ours; the text is for the log.
  case fault(String)
}

/// Which uniqueness a write would have broken.
public enum Conflict: Sendable, Hashable {
  case organizationSlug, organizationHostname
  case productCode
  case identityName, externalName
  /// The vendor's `externalId`.
  case externalID
  /// The CA key is proven by another organization, or already registered by this one.
  case authorityKey
  case certificateSerial
  /// Another identity of the organization has a certificate over the key.
  case deviceKey
  /// Anything else, by the constraint's name.
  case other(String)
}
