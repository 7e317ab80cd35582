/// For how long what we say about revocation is good, in seconds.
public struct RevocationPolicy: Sendable {
  /// From a list to the one that must follow it; a new one is made when half of it is over.
  public var listLifetime: Int64 = 86_400
  /// From an OCSP answer to its end; it is used again until half of it is over.
  public var answerLifetime: Int64 = 3600
  /// How long the certificate lives by which a server may answer; a new one is made when half of it is over.
  public var responderLifetime: Int64 = 7 * 86_400
  /// How long a list or an answer may lie in somebody's cache before it is asked for again.
  public var cachedFor: Int64 = 300
  /// How far what we sign begins in the past, for verifiers whose clock is slow.
  public var backdating: Int64 = 300

  public init() {}
}
