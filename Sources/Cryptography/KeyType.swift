/// The kinds of key that Usher makes, by the names that configuration and API use.
public enum KeyType: String, Sendable, Hashable, CaseIterable {
  case p256 = "P-256"
  case p384 = "P-384"
  case rsa2048 = "RSA-2048"
  case rsa3072 = "RSA-3072"
  case rsa4096 = "RSA-4096"
}
