/// Where CA keys are that never leave their token (PKCS#11).
public struct TokenConfiguration: Sendable, Equatable {
  /// The token's module, such as `/usr/lib/softhsm/libsofthsm2.so`; nil: there is no token.
  public var module: String?
  /// The file with the PIN.
  public var pinFile: String?

  public init(module: String? = nil, pinFile: String? = nil) {
    self.module = module
    self.pinFile = pinFile
  }
}
