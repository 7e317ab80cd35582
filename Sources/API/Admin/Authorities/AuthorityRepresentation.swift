import HTTP
import Issuance
import JSON
import Licensing
import PKIX

extension Authority: ResourceRepresentation {
  var entityTag: String { record.entityTag }

  func writeMembers(to writer: inout JSONWriter) {
    writer.identify(record)
    writer.member("kind", kind.word)
    writer.member("status", status.word)
    writer.member("name", name)
    writer.member("certificate", certificate.map { PEM.encode($0, label: "CERTIFICATE") })
    switch kind {
    case .managed:
      writer.member("keyType", keyType)
      writer.member("keyUri", keyURI)
    case .subordinate:
      writer.member("keyType", keyType)
      writer.member("keyUri", keyURI)
      writer.member("csr", request.map { PEM.encode($0, label: "CERTIFICATE REQUEST") })
      writer.member("intermediates", intermediates.map { PEM.encode($0, label: "CERTIFICATE") })
    case .external: writer.externalMembers(of: self)
    }
    writer.member("warnings", warnings)
    writer.describe(record)
  }
}

extension JSONWriter {
  fileprivate mutating func externalMembers(of authority: Authority) {
    member("intermediates", authority.intermediates.map { PEM.encode($0, label: "CERTIFICATE") })
    member("group", authority.group)
    member("mapping", array: authority.mapping) { writer, rule in
      writer.object { writer in
        writer.member("field", rule.field.rawValue)
        if let prefix = rule.prefix { writer.member("prefix", prefix) }
      }
    }
    if let match = authority.match {
      member(
        "match",
        object: { writer in
          writer.member("extendedKeyUsages", match.extendedKeyUsages)
          writer.member("policies", match.policies)
          writer.member("organizationalUnit", match.organizationalUnit)
          writer.member("uriPrefix", match.uriPrefix)
        })
    }
    member("autoProvision", authority.autoProvision)
    member("allowMissingClientAuth", authority.allowsMissingClientAuth)
    if let challenge = authority.challenge {
      member("challenge", challenge)
      member("challengeExpiresAt", authority.challengeExpiresAt)
    }
  }
}

extension Authority.Kind: Worded {
  var word: String {
    switch self {
    case .managed: "managed"
    case .external: "external"
    case .subordinate: "subordinate"
    }
  }
}

extension Authority.Status: Worded {
  var word: String {
    switch self {
    case .pending: "pending"
    case .active: "active"
    case .retired: "retired"
    case .revoked: "revoked"
    case .deleted: "deleted"
    }
  }
}
