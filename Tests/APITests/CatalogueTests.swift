import API
import Testing

@Suite("The catalogue of problems")
struct CatalogueTests {
  /// As the contract names them, with the status it names.
  static let contractCodes: [(String, Int)] = [
    ("malformed-json", 400), ("not-found", 404), ("method-not-allowed", 405), ("body-too-large", 413),
    ("unsupported-media-type", 415), ("invalid", 422), ("already-exists", 409), ("request-in-progress", 409),
    ("key-in-use", 409), ("no-issuing-authority", 409), ("token-invalid", 401), ("forbidden", 403),
    ("precondition-failed", 412), ("idempotency-key-reused", 422), ("rate-limited", 429),
    ("organization-in-use", 409), ("proof-invalid", 422), ("authority-key-in-use", 409),
    ("authority-in-use", 409),
    ("seats-in-use", 409), ("no-seat-available", 409), ("seat-blocked", 409), ("enrollment-invalid", 401),
    ("csr-invalid", 422), ("lease-lost", 412), ("seat-not-held", 404), ("authority-external", 409),
    ("seat-not-assigned", 409), ("not-permitted", 409), ("license-required", 402), ("license-expired", 402),
    ("license-suspended", 402), ("license-not-started", 402), ("organization-suspended", 402),
    ("identity-suspended", 402), ("product-unknown", 404), ("certificate-expired", 410),
    ("certificate-not-yet-valid", 410), ("certificate-revoked", 410), ("authority-revoked", 410),
    ("identity-deleted", 410), ("identity-unknown", 404), ("storage-unavailable", 503),
  ]

  @Test("every code of the contract is there with its status", arguments: contractCodes)
  func statuses(code: String, status: Int) throws {
    #expect(try #require(ProblemCode(rawValue: code)).entry.status == status)
  }

  @Test("every code says what happened and what to do", arguments: ProblemCode.allCases)
  func complete(code: ProblemCode) {
    let entry = code.entry
    #expect((400...599).contains(entry.status))
    #expect(!entry.title.hasSuffix(".") && entry.title.count <= 60)
    #expect(entry.meaning.hasSuffix(".") && entry.remedy.hasSuffix("."))
    #expect(code.rawValue.utf8.allSatisfy { (97...122).contains($0) || $0 == 45 })
  }
}
