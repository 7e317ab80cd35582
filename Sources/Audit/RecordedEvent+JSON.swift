internal import Cryptography
public import JSON
public import Licensing

extension RecordedEvent {
  /// Made of the moment and the number, so that it is the same wherever the event is told.
  public var id: Identifier { Identifier(at: place.at, random: (0, UInt64(bitPattern: place.number))) }

  /// The members of the event as lists, exports and webhooks tell it.
  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("id", id.description)
    writer.member("at", Timestamp(microsecondsSince1970: place.at.microseconds))
    writer.member("type", type)
    writer.member("organization", organization?.description)
    writer.member("actor", object: author.writeMembers)
    writer.member("license", license?.description)
    writer.member("identity", identity?.description)
    writer.member("generation", generation)
    writer.member("detail", json: detail)
    writer.member("position", seal?.position)
    writer.member("digest", seal.map { Hexadecimal.encode($0.digest) })
  }
}

extension RecordedEvent.Author {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    switch self {
    case .system: writer.member("kind", "service")
    case .machine: writer.member("kind", "machine")
    case .token(let id):
      writer.member("kind", "token")
      writer.member("id", id?.description)
    case .enrollment(let id):
      writer.member("kind", "enrollment")
      writer.member("id", id?.description)
    case .identity(let id, let proof):
      writer.member("kind", "identity")
      writer.member("id", id?.description)
      guard let proof else { return }
      writer.member("certificate") { writer in
        writer.member("serialNumber", proof.serialNumber)
        writer.member("fingerprint", Hexadecimal.encode(proof.fingerprint))
      }
    }
  }
}
