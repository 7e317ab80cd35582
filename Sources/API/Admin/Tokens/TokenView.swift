import JSON
import Licensing

/// A token with its organization's slug; never the secret.
struct TokenView: ResourceRepresentation {
  let token: APIToken
  /// Nil for an operator's.
  let organization: Slug?

  var entityTag: String { token.record.entityTag }

  func writeMembers(to writer: inout JSONWriter) {
    writer.identify(token.record)
    writer.member("name", token.name)
    writer.member("role", token.role.word)
    writer.member("organization", organization?.description)
    writer.member("expiresAt", token.expiresAt)
    writer.member("lastUsedAt", token.lastUsedAt)
    writer.describe(token.record)
  }
}
