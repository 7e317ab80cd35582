import JSON
import Licensing

extension Organization: ResourceRepresentation {
  var entityTag: String { record.entityTag }
  var path: String { "/v1/organizations/\(slug)" }

  func writeMembers(to writer: inout JSONWriter) {
    writer.identify(record)
    writer.member("slug", slug.description)
    writer.member("name", name)
    writer.member("status", status.word)
    writer.member("contactUrl", contactURL)
    writer.member("hostname", hostname)
    writer.member("renewAfterExpirySeconds", renewAfterExpirySeconds)
    writer.member("certificates", object: certificates.writeMembers)
    writer.describe(record)
  }
}
