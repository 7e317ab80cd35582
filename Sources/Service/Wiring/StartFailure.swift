/// Why a server did not start, in one line for whoever started it.
public struct StartFailure: Error, Sendable, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}
