/// What is known of one certificate (RFC 6960 section 2.2).
public enum OCSPStatus: Sendable, Hashable {
  case good
  /// Since when, in seconds since 1970, and why; a reason that says nothing is left out.
  case revoked(at: Int64, reason: RevocationList.Reason)
  /// The authority never issued this serial number: revoked since 1970 on hold, as RFC 6960 section 2.2 has it.
  case notIssued
  /// Another authority's certificate.
  case unknown
}
