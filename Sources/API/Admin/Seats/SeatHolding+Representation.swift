import JSON
import Licensing

extension SeatHolding: ResourceRepresentation {
  var entityTag: String { "\"\(seat.generation)\"" }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("identity", identity.description)
    writer.member("identityId", identityID)
    writer.member("kind", seat.kind.word)
    writer.member("generation", seat.generation)
    writer.member("overdraft", seat.overdraft)
    writer.member("grantedAt", seat.grantedAt)
    writer.member("expiresAt", seat.expiresAt)
    writer.member("borrowedUntil", seat.borrowedUntil)
    writer.member("atRisk", isAtRisk)
    writer.member("lastSeenAt", lastSeenAt)
  }
}
