/// Every code that a problem of this service can carry: the last segment of its `type`.
///
/// A code never changes its meaning; `entry` says what it is.
public enum ProblemCode: String, Sendable, Hashable, CaseIterable {
  // The request itself.
  case malformedRequest = "malformed-request"
  case malformedJSON = "malformed-json"
  case invalid
  case unsupportedMediaType = "unsupported-media-type"
  case bodyTooLarge = "body-too-large"
  case targetTooLong = "target-too-long"
  case headerTooLarge = "header-too-large"
  case expectationFailed = "expectation-failed"
  case requestTimeout = "request-timeout"
  case misdirectedRequest = "misdirected-request"
  case notImplemented = "not-implemented"
  case versionNotSupported = "version-not-supported"
  case notFound = "not-found"
  case methodNotAllowed = "method-not-allowed"
  case preconditionFailed = "precondition-failed"
  case requestInProgress = "request-in-progress"
  case idempotencyKeyReused = "idempotency-key-reused"
  case rateLimited = "rate-limited"

  // Who may what.
  case tokenInvalid = "token-invalid"
  case enrollmentInvalid = "enrollment-invalid"
  case forbidden

  // Resources.
  case alreadyExists = "already-exists"
  case organizationInUse = "organization-in-use"
  case productInUse = "product-in-use"
  case seatsInUse = "seats-in-use"
  case serialAmbiguous = "serial-ambiguous"

  // Keys, requests and authorities.
  case csrInvalid = "csr-invalid"
  case crlInvalid = "crl-invalid"
  case keyInUse = "key-in-use"
  case noIssuingAuthority = "no-issuing-authority"
  case proofInvalid = "proof-invalid"
  case authorityKeyInUse = "authority-key-in-use"
  case authorityInUse = "authority-in-use"
  case authorityExternal = "authority-external"
  case certificateSuperseded = "certificate-superseded"

  // Seats.
  case noSeatAvailable = "no-seat-available"
  case seatBlocked = "seat-blocked"
  case seatNotAssigned = "seat-not-assigned"
  case notPermitted = "not-permitted"
  case borrowOutOfRange = "borrow-out-of-range"
  case borrowNotPermitted = "borrow-not-permitted"
  case seatBorrowed = "seat-borrowed"
  case seatNotHeld = "seat-not-held"
  case leaseLost = "lease-lost"
  case productUnknown = "product-unknown"
  case licenseRequired = "license-required"
  case licenseExpired = "license-expired"
  case licenseSuspended = "license-suspended"
  case licenseNotStarted = "license-not-started"

  // A known device that is refused.
  case organizationSuspended = "organization-suspended"
  case identitySuspended = "identity-suspended"
  case identityDeleted = "identity-deleted"
  case identityUnknown = "identity-unknown"
  case certificateExpired = "certificate-expired"
  case certificateNotYetValid = "certificate-not-yet-valid"
  case certificateRevoked = "certificate-revoked"
  case authorityRevoked = "authority-revoked"

  // The service.
  case storageUnavailable = "storage-unavailable"
  case internalError = "internal-error"
}
