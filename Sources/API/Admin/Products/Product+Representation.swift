import JSON
import Licensing

extension Product: ResourceRepresentation {
  var entityTag: String { record.entityTag }
  var path: String { "/v1/products/\(code)" }

  func writeMembers(to writer: inout JSONWriter) {
    writer.identify(record)
    writer.member("code", code.description)
    writer.member("name", name)
    writer.member("features", features)
    writer.describe(record)
  }
}
