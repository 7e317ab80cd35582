/// Where the database is.
public struct DatabaseConfiguration: Sendable, Equatable {
  /// A libpq connection URI without a password; several hosts are tried in order.
  public var url: String
  /// The file that holds the password, if one is needed.
  public var passwordFile: String?

  public init(url: String, passwordFile: String? = nil) {
    self.url = url
    self.passwordFile = passwordFile
  }
}
