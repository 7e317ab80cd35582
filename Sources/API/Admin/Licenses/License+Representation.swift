import JSON
import Licensing

extension License: ResourceRepresentation {
  var entityTag: String { record.entityTag }

  func writeMembers(to writer: inout JSONWriter) {
    writer.identify(record)
    writer.member("product", productCode.description)
    writer.member("model", model.word)
    writer.member("status", status.word)
    writer.member("seats", Int64(terms.seats))
    writer.member("overdraft", Int64(terms.overdraft))
    writer.member("overdraftUntil", terms.overdraftUntil)
    writer.member("leaseSeconds", Int64(terms.leaseSeconds))
    writer.member("graceSeconds", Int64(terms.graceSeconds))
    writer.member("startsAt", terms.startsAt)
    writer.member("expiresAt", terms.expiresAt)
    writer.member("features", terms.features)
    writer.member("assignment", terms.assignment.word)
    writer.member("reassignSeconds", Int64(terms.reassignSeconds))
    writer.member("maxBorrowSeconds", Int64(terms.maxBorrowSeconds))
    writer.member("unborrowableSeats", Int64(terms.unborrowableSeats))
    writer.member("usage") { writer in
      writer.member("held", usage.held)
      writer.member("reserved", usage.reserved)
      writer.member("available", usage.available)
      writer.member("excess", usage.excess)
    }
    writer.describe(record)
  }
}
