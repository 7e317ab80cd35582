/// What every certificate we sign has in common, from the configuration.
public struct IssuancePolicy: Sendable {
  /// Under which every organization has its host: an identity is `spiffe://<org>.<baseDomain>/<identity>`.
  public let baseDomain: String
  /// How long a device's certificate is good, in seconds.
  public let leafSeconds: Int64

  public init(baseDomain: String, leafSeconds: Int64 = 30 * 86_400) {
    self.baseDomain = baseDomain
    self.leafSeconds = leafSeconds
  }
}
