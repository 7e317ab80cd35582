import API
import Licensing
import Testing

@Suite("Who may what")
struct CallerTests {
  static let other = Slug("other")
  static let device = Peers.device

  static let callers: [(Caller, reaches: Bool, holds: Set<Access>)] = [
    (.nobody, false, []),
    (.device(device), true, [.device]),
    (.administrator(device), true, [.device, .viewer, .admin]),
    (.token(Samples.token(.viewer, of: .example)), true, [.viewer]),
    (.token(Samples.token(.admin, of: .example)), true, [.viewer, .admin]),
    (.token(Samples.token(.operator)), true, [.viewer, .admin, .operator]),
  ]

  @Test("each role holds what is its own and what is below it", arguments: callers.indices)
  func roles(index: Int) throws {
    let (caller, reaches, holds) = Self.callers[index]
    #expect(caller.mayReach(.example) == reaches)
    for access in Access.allCases {
      #expect(
        caller.holds(access) == (holds.contains(access) || access == .anyone || access == .enrollmentToken))
    }
  }

  @Test("nobody but an operator reaches another organization", arguments: callers.indices)
  func foreign(index: Int) throws {
    let caller = Self.callers[index].0
    #expect(caller.mayReach(try #require(Self.other)) == caller.holds(.operator))
  }
}
