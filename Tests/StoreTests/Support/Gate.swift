/// Lets so many through at once: every test has a database and connections of its own, and a machine has few cores.
actor Gate {
  static let databases = Gate(places: 6)

  private var places: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(places: Int) { self.places = places }

  func enter() async {
    if places > 0 {
      places -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  func leave() {
    if waiting.isEmpty { places += 1 } else { waiting.removeFirst().resume() }
  }

  nonisolated func pass<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
    await enter()
    do {
      let result = try await body()
      await leave()
      return result
    } catch {
      await leave()
      throw error
    }
  }
}
