/// Why a database URL was not accepted. It never repeats the URL, which might hold a password.
public struct ConnectionURLError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
