@testable import API

/// A peer that is who it says.
final class Visitor: Sendable {
  let caller: Caller

  init(_ caller: Caller) { self.caller = caller }
}
