import Cryptography
import HTTP
import Issuance
import JSON
import Licensing
import PKIX

/// The body that registers an authority, checked.
struct AuthorityRequest: Sendable {
  private enum Kind: Sendable {
    case managed(KeySource)
    case subordinate(KeySource)
    case external(Certificate, intermediates: [[Certificate]], ExternalTerms)
  }

  /// The key types that an authority may have whose key the service holds.
  private static let keyTypes = [KeyType.p256, .p384, .rsa3072, .rsa4096]

  private let record: NewRecord
  private let name: String?
  private let kind: Kind
  private let group: String?
  let isTrusted: Bool

  init(_ exchange: Exchange) throws {
    let id = try exchange.services.newID()
    self = try exchange.body { reader in
      let record = reader.newRecord(id)
      let name = reader.optional("name", .displayName)
      let kind: Authority.Kind = reader.required("kind", .one(of: .managed, .external, .subordinate))
      if kind == .external { return try Self(external: &reader, record: record, name: name) }
      let source = Self.keySource(&reader)
      return Self(
        record: record, name: name, kind: kind == .managed ? .managed(source) : .subordinate(source),
        group: nil, isTrusted: false)
    }
    if case .managed(.token) = kind { try Self.requireOperator(exchange, "keyUri") }
    if case .subordinate(.token) = kind { try Self.requireOperator(exchange, "keyUri") }
    // Vouching for a key that nobody has proven is the operator's to do.
    if isTrusted { try Self.requireOperator(exchange, "trusted") }
  }

  private static func requireOperator(_ exchange: Exchange, _ member: String) throws {
    guard exchange.caller.holds(.operator) else {
      throw Problem.invalid("/\(member)", "only an operator may say this")
    }
  }

  private static func keySource(_ reader: inout MemberReader) -> KeySource {
    let keyType = reader.optional("keyType", .keyType(keyTypes))
    guard let uri = reader.optional("keyUri", .keyURI) else { return .made(keyType ?? .p256) }
    if keyType != nil {
      reader.fail("keyType", "excludes \"keyUri\": the token's key is of the kind that it is")
    }
    return .token(uri: uri)
  }

  private init(external reader: inout MemberReader, record: NewRecord, name: String?) throws {
    let certificate = reader.required("certificate", .certificates(count: 1...1))
    let intermediates =
      reader.optional("intermediates", .array(of: .certificates(count: 1...4), count: 0...8)) ?? []
    let mapping = reader.optional("mapping", .mapping)
    let match = reader.optional("match", .match)
    let autoProvision = reader.optional("autoProvision", .boolean) ?? false
    let allowsMissing = reader.optional("allowMissingClientAuth", .boolean) ?? false
    let group = reader.optional("group", .string(1...64))
    let isTrusted = reader.optional("trusted", .boolean) ?? false
    try reader.finish()
    guard let certificate = certificate.first else { throw Problem.invalid("/certificate", "is required") }
    let terms = try ExternalTerms.checked(
      mapping: mapping, match: match, autoProvision: autoProvision, allowsMissingClientAuth: allowsMissing)
    self.init(
      record: record, name: name,
      kind: .external(certificate, intermediates: intermediates, terms),
      group: group, isTrusted: isTrusted)
  }

  private init(record: NewRecord, name: String?, kind: Kind, group: String?, isTrusted: Bool) {
    self.record = record
    self.name = name
    self.kind = kind
    self.group = group
    self.isTrusted = isTrusted
  }

  /// What is to be stored; for a managed authority its key is made here.
  func found(for organization: Organization, by founding: AuthorityFounding) async throws -> NewAuthority {
    switch kind {
    case .managed(let source):
      return try await Self.patiently {
        try await founding.found(source, named: name, record: record, for: organization)
      }
    case .subordinate(let source):
      return try await Self.patiently {
        try await founding.foundSubordinate(source, named: name, record: record, for: organization)
      }
    case .external(let certificate, let intermediates, let terms):
      do {
        let authority = try founding.register(
          certificate, intermediates: intermediates.flatMap(\.self), terms: terms, named: name, group: group,
          record: record,
          for: organization, isTrusted: isTrusted)
        try await Self.check(intermediates, under: certificate, by: founding)
        return authority
      } catch let failure as PathFailure {
        throw Problem.invalid("/certificate", failure.description)
      }
    }
  }

  /// Names the intermediate that does not lead to the authority's certificate.
  static func check(
    _ intermediates: [[Certificate]], under anchor: Certificate, by founding: AuthorityFounding
  ) async throws {
    do {
      try await founding.check(intermediates, under: anchor)
    } catch let objection as AuthorityFounding.IntermediateObjection {
      throw Problem.invalid("/intermediates/\(objection.place)", objection.reason)
    }
  }

  private static func patiently(_ found: () async throws -> NewAuthority) async throws -> NewAuthority {
    do {
      return try await found()
    } catch is AuthorityFounding.Busy {
      throw Problem(
        .rateLimited, "Keys of other authorities are being made; try again in ten seconds.",
        headers: [HeaderField(.retryAfter, "10")])
    } catch let objection as AuthorityFounding.TokenObjection {
      throw Problem.invalid("/keyUri", objection.reason)
    }
  }
}
