import JSON
import Licensing

extension JSONWriter {
  mutating func member(_ name: String, _ time: Instant) {
    member(name, Timestamp(microsecondsSince1970: time.microseconds))
  }

  /// Null where there is no time.
  mutating func member(_ name: String, _ time: Instant?) {
    member(name, time.map { Timestamp(microsecondsSince1970: $0.microseconds) })
  }

  mutating func member(_ name: String, _ id: Identifier) {
    self.name(name)
    value(plain: Identifier.length) { output in id.append(to: &output) }
  }

  /// Null where there is none.
  mutating func member(_ name: String, _ id: Identifier?) {
    if let id { member(name, id) } else { member(name, String?.none) }
  }

  /// A feature map, by name.
  mutating func member(_ name: String, _ features: Features) {
    member(name) { writer in
      for (name, value) in features.sorted(by: { $0.key < $1.key }) {
        switch value {
        case .flag(let truth): writer.member(name, truth)
        case .integer(let number): writer.member(name, number)
        case .number(let number):
          writer.name(name)
          writer.value(number)
        case .text(let text): writer.member(name, text)
        }
      }
    }
  }

  /// The id that every resource carries; it comes first.
  mutating func identify<Entity>(_ record: Record<Entity>) { member("id", record.id) }

  /// What else every resource carries; it comes last.
  mutating func describe<Entity>(_ record: Record<Entity>) {
    member("externalId", record.externalID)
    member("metadata", record.metadata)
    member("createdAt", record.createdAt)
    member("updatedAt", record.updatedAt)
  }
}
