public import Database

/// What the database's schema is to this binary.
public enum SchemaState: Sendable {
  /// As this binary made it, or newer in a way that it can work with.
  case ready
  /// These steps are missing; `usher migrate` applies them.
  case behind([Migration])
  /// A newer binary has taken away what this one needs: it must be at least the one that knows `minimumBinary`.
  case ahead(minimumBinary: Int32)

  /// Judges by the steps that were applied.
  init(applied: [AppliedMigration], known: [Migration]) {
    let newest = known.last?.version ?? 0
    let minimumBinary = applied.map(\.minimumBinary).max() ?? 0
    let versions = Set(applied.map(\.version))
    let missing = known.filter { !versions.contains($0.version) }
    if minimumBinary > newest {
      self = .ahead(minimumBinary: minimumBinary)
    } else {
      self = missing.isEmpty ? .ready : .behind(missing)
    }
  }
}

/// A row of `schema_version`.
struct AppliedMigration: Sendable {
  let version: Int32
  let minimumBinary: Int32
}
