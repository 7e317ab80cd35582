import Cryptography
import JSON
import Licensing

extension RecordedEvent: Representation {
  /// Made of the moment and the number, so that it is the same wherever the event is told.
  var id: Identifier { Identifier(at: place.at, random: (0, UInt64(bitPattern: place.number))) }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("id", id)
    writer.member("at", place.at)
    writer.member("type", type)
    writer.member("organization", organization?.description)
    writer.member("actor", object: author.writeMembers)
    writer.member("license", license)
    writer.member("identity", identity)
    writer.member("generation", generation)
    writer.member("detail", json: detail)
  }
}

extension RecordedEvent.Author {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    switch self {
    case .system: writer.member("kind", "service")
    case .machine: writer.member("kind", "machine")
    case .token(let id):
      writer.member("kind", "token")
      writer.member("id", id)
    case .enrollment(let id):
      writer.member("kind", "enrollment")
      writer.member("id", id)
    case .identity(let id, let proof):
      writer.member("kind", "identity")
      writer.member("id", id)
      guard let proof else { return }
      writer.member("certificate") { writer in
        writer.member("serialNumber", proof.serialNumber)
        writer.member("fingerprint", Hexadecimal.encode(proof.fingerprint))
      }
    }
  }
}
