/// Why a device that a known authority vouches for is refused all the same (api.md, "Where a refusal is said").
public enum PeerRefusal: String, Error, Sendable, CaseIterable {
  case organizationSuspended = "organization-suspended"
  case authorityRevoked = "authority-revoked"
  case certificateRevoked = "certificate-revoked"
  case identityDeleted = "identity-deleted"
  case identityUnknown = "identity-unknown"
  case identitySuspended = "identity-suspended"
  case certificateNotYetValid = "certificate-not-yet-valid"
  case certificateExpired = "certificate-expired"
  /// What the handshake proved holds no longer; a new handshake tells what does.
  case trustChanged = "trust-changed"
}
