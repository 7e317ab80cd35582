/// A row of the audit trail as it is read.
public struct RecordedEvent: Sendable {
  /// Who did it, as far as the outside may know.
  public enum Author: Sendable, Hashable {
    case system, machine
    case token(Identifier?)
    case enrollment(Identifier?)
    /// With the certificate that was shown, where that is known.
    case identity(Identifier?, Proof?)
  }

  public struct Proof: Sendable, Hashable {
    public let serialNumber: String
    /// SHA-256, 32 bytes.
    public let fingerprint: [UInt8]

    public init(serialNumber: String, fingerprint: [UInt8]) {
      self.serialNumber = serialNumber
      self.fingerprint = fingerprint
    }
  }

  public let place: EventPlace
  /// Nil for the operator's own.
  public let organization: Slug?
  public let type: String
  public let author: Author
  public let license: Identifier?
  public let identity: Identifier?
  /// Of the seat.
  public let generation: Int64?
  /// A JSON object.
  public let detail: [UInt8]
  /// Nil until it is sealed, a moment after it was written.
  public let seal: EventSeal?

  public init(
    place: EventPlace, organization: Slug?, type: String, author: Author, license: Identifier?,
    identity: Identifier?, generation: Int64?, detail: [UInt8], seal: EventSeal?
  ) {
    self.place = place
    self.organization = organization
    self.type = type
    self.author = author
    self.license = license
    self.identity = identity
    self.generation = generation
    self.detail = detail
    self.seal = seal
  }
}

/// Where an event stands in the order of time; those of one moment in that of their making.
public struct EventPlace: Sendable, Hashable {
  public let at: Instant
  public let number: Int64

  public init(at: Instant, number: Int64) {
    self.at = at
    self.number = number
  }
}

/// Which events are read.
public struct EventRequest: Sendable {
  /// Nil: all organizations' and the operator's own.
  public var organization: Key<Organization>?
  public var type: String?
  public var license: Identifier?
  /// By name only who is not deleted; by id anybody.
  public var identity: IdentityReference?
  public var from: Instant?
  /// The first moment that does not belong to it.
  public var to: Instant?
  /// Goes on after this place, whether or not the event there still exists.
  public var after: EventPlace?
  public var limit: Int

  public init(
    organization: Key<Organization>?, type: String? = nil, license: Identifier? = nil,
    identity: IdentityReference? = nil, from: Instant? = nil, to: Instant? = nil, after: EventPlace? = nil,
    limit: Int = 50
  ) {
    self.organization = organization
    self.type = type
    self.license = license
    self.identity = identity
    self.from = from
    self.to = to
    self.after = after
    self.limit = limit
  }
}

public protocol EventRepository: Sendable {
  /// In the order of their places, and whether there are more.
  func events(_ request: EventRequest) async throws(StorageError) -> (events: [RecordedEvent], hasMore: Bool)
  /// How far the chain goes; nil: the operator's own.
  func chain(of organization: Key<Organization>?) async throws(StorageError) -> EventChain
}
