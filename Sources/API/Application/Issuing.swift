public import Directory
public import Issuance

/// Everything that signs or judges certificates for a handler.
public struct Issuing: Sendable {
  public let founding: AuthorityFounding
  public let enroller: Enroller
  public let renewer: Renewer
  public let previewer: Previewer

  public init(founding: AuthorityFounding, enroller: Enroller, renewer: Renewer, previewer: Previewer) {
    self.founding = founding
    self.enroller = enroller
    self.renewer = renewer
    self.previewer = previewer
  }
}
