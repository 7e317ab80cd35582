import Issuance
import Licensing
import Testing

@testable import Store

/// When identities were last seen is written apart from them.
@Suite struct SightingTests {
  @Test func `who is seen is no change that other servers hear of, and who was deleted is not seen any more`()
    async throws
  {
    try await TestStore.withStore { store in
      let office = try await Office(in: store)
      let people = office.people.map { TenantKey($0.organization, $0.record.key) }
      let before = try await store.ask("SELECT count(*)::text FROM change")
      let sightings = StoreSightings(store.client)
      try await sightings.write(Dictionary(uniqueKeysWithValues: people.map { ($0, 5) }))
      #expect(try await store.ask("SELECT count(*)::text FROM identity_seen") == "4")
      #expect(try await store.ask("SELECT count(*)::text FROM change") == before)
      let gone = try await store.units.transact { [identity = office.people[0]] unit in
        var gone = identity
        gone.status = .deleted
        return try await unit.update(gone)
      }
      #expect(gone.lastSeenAt != nil && gone.record.revision == 2)
      try await store.units.transact { try await $0.erase(gone) }
      try await sightings.write([people[0]: 0, people[1]: 0, TenantKey(people[0].organization, Key(999)): 0])
      #expect(try await store.ask("SELECT count(*)::text FROM identity_seen") == "3")
    }
  }

  @Test func `two servers that saw the same wait for each other, and no longer`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, people: 50)
      let sightings = StoreSightings(store.client)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for age in 0..<20 {
          group.addTask {
            let seen = office.people.map { (TenantKey($0.organization, $0.record.key), Int64(age)) }
            try await sightings.write(Dictionary(uniqueKeysWithValues: seen))
          }
        }
        try await group.waitForAll()
      }
      #expect(try await store.ask("SELECT count(*)::text FROM identity_seen") == "50")
    }
  }
}
