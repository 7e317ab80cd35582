import Issuance
import JSON
import Licensing

/// An enrollment as of a moment: whether it still gives certificates depends on the time.
struct EnrollmentView: ResourceRepresentation {
  let enrollment: Enrollment
  let now: Instant

  var entityTag: String { enrollment.record.entityTag }

  func writeMembers(to writer: inout JSONWriter) {
    writer.identify(enrollment.record)
    writer.member("identity", enrollment.identityName?.description)
    writer.member("license", enrollment.license)
    writer.member("status", enrollment.status(at: now).rawValue)
    writer.member("uses", Int64(enrollment.uses))
    writer.member("used", Int64(enrollment.used))
    writer.member("expiresAt", enrollment.expiresAt)
    writer.member("lastUsedAt", enrollment.lastUse?.at)
    writer.describe(enrollment.record)
  }
}
