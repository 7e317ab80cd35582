/// Seats of a license set aside for identities, as one document.
public struct Reservations: Sendable, Equatable {
  /// In order of name, each once.
  public let identities: [IdentityName]

  public init(_ identities: some Sequence<IdentityName>) {
    self.identities = Set(identities).sorted { $0.description < $1.description }
  }

  /// A digest of what the document says (FNV-1a, 64 bits), by which `If-Match` knows it again.
  public var digest: UInt64 {
    identities.lazy.flatMap { $0.description.utf8 + [0] }
      .reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}

public enum ReserveOutcome: Sendable, Equatable {
  case reserved
  /// These name nobody.
  case unknown([IdentityName])
  /// There are not so many seats that nobody holds or has reserved. What was done must be undone.
  case full
}

/// Part of a unit of work.
public protocol ReservationRepository: Sendable {
  func reservations(of license: License) async throws(StorageError) -> Reservations

  /// Makes these, and no others, the reservations of the license. Cool-downs stay.
  func reserve(_ reservations: Reservations, of license: License) async throws(StorageError) -> ReserveOutcome
}
