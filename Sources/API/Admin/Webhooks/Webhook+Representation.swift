import JSON
import Licensing

extension Webhook: ResourceRepresentation {
  var entityTag: String { record.entityTag }

  func writeMembers(to writer: inout JSONWriter) {
    writer.identify(record)
    writer.member("url", url)
    writer.member("types", types)
    writer.member("status", status.word)
    writer.member("position", position)
    writer.member("attempts", Int64(attempts))
    writer.member("nextAttemptAt", attempts == 0 ? nil : attemptAt)
    writer.member("lastError", lastError)
    writer.describe(record)
  }
}

extension DeadLetter: Representation {
  func writeMembers(to writer: inout JSONWriter) {
    writer.member("position", position)
    writer.member("attempts", Int64(attempts))
    writer.member("error", error)
    writer.member("at", at)
  }
}

extension Webhook.Status: Worded {
  var word: String {
    switch self {
    case .active: "active"
    case .suspended: "suspended"
    case .deleted: "deleted"
    }
  }
}
