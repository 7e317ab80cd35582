/// Whose part of what an app is told.
public enum ConfigOwner: Sendable {
  case organization(Key<Organization>)
  case license(License)
  case identity(Identity)
}

/// Part of a unit of work.
public protocol ConfigRepository: Sendable {
  func config(of owner: ConfigOwner) async throws(StorageError) -> Config
  /// Replaces the owner's part; the seats that it is part of are not what they were.
  func replaceConfig(of owner: ConfigOwner, with config: Config) async throws(StorageError)
}
