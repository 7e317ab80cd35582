import Cryptography
import Issuance
import JSON
import Licensing

extension Identity: ResourceRepresentation {
  var entityTag: String { record.entityTag }

  func writeMembers(to writer: inout JSONWriter) {
    writer.identify(record)
    writer.member("name", name.description)
    writer.member("role", role.word)
    writer.member("status", status.word)
    writer.member("attributes", attributes)
    if let external {
      writer.member("external") { writer in
        writer.member("group", external.group)
        writer.member("field", external.field)
        writer.member("value", external.text)
      }
    } else {
      writer.name("external")
      writer.null()
    }
    writer.member("lastSeenAt", lastSeenAt)
    writer.describe(record)
  }
}

extension ExternalName {
  /// The value as people write it: a key's digest in hexadecimal, anything else as it stands in the certificate.
  var text: String {
    field == MappingRule.Field.spki.rawValue
      ? Hexadecimal.encode(value) : String(decoding: value, as: UTF8.self)
  }

  /// What an external CA of `group` calls someone; nil when a digest is none.
  init?(_ text: String, field: MappingRule.Field, group: String) {
    if field == .spki {
      guard let digest = SHA256Digest(hexadecimal: text) else { return nil }
      self.init(group: group, field: field.rawValue, value: digest.bytes)
    } else {
      self.init(group: group, field: field.rawValue, value: Array(text.utf8))
    }
  }
}
