import JSON
import Licensing
import Postgres

extension JSONColumn {
  /// What requests of a batch demand, by their position from 1; nil when none demands anything, which is nearly always.
  static func asks(of batch: [SeatRequest]) -> [UInt8]? {
    guard batch.contains(where: \.isParticular) else { return nil }
    var writer = JSONWriter()
    writer.object { writer in
      for (index, request) in batch.enumerated() where request.isParticular {
        writer.member("\(index + 1)") { writer in
          if let license = request.wish.license { writer.member("license", license.description) }
          if !request.wish.features.isEmpty { writer.member("features", request.wish.features) }
          if case .borrow(let until) = request.operation { writer.member("until", until.microseconds) }
        }
      }
    }
    return writer.bytes
  }

  /// `[{"license": id, "code": reason}]`.
  static func candidates(_ bytes: [UInt8]) -> [SeatRefusal.Candidate] {
    guard case .array(let elements)? = try? JSONValue(parsing: bytes) else { return [] }
    return elements.compactMap { element in
      guard case .string(let id)? = element["license"], case .string(let code)? = element["code"],
        let license = Identifier(id), let reason = SeatRefusal.Reason(rawValue: code)
      else { return nil }
      return SeatRefusal.Candidate(license: license, reason: reason)
    }
  }
}

extension SeatRequest {
  fileprivate var isParticular: Bool {
    if case .borrow = operation { true } else { wish != .none }
  }
}
