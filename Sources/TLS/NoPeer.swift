/// The peer where none is judged here, as on the client's side: there is no such object.
public final class NoPeer: Sendable {
  private init() {}
}
