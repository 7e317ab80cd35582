import Cryptography
import Issuance
import Licensing
import Testing

@testable import Store

/// The key that seals webhooks' secrets is replaced.
@Suite struct WebhookRekeyTests {
  private static func key(_ byte: UInt8) -> SealingKey {
    SealingKey(bytes: [UInt8](repeating: byte, count: 32))!
  }
  private let old = AuthorityKeys(sealing: SealingKeyRing(key(1)))
  private let new = AuthorityKeys(sealing: SealingKeyRing(key(2)))
  private let both = AuthorityKeys(sealing: SealingKeyRing(key(2), earlier: [key(1)]))

  @Test func `both secrets of a webhook open under the new key alone, and what is damaged is named`()
    async throws
  {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, people: 0)
      let secrets = [[UInt8](repeating: 5, count: 32), [UInt8](repeating: 6, count: 32)]
      func make(_ first: [UInt8]?) async throws -> Webhook {
        let record = TestStore.newRecord()
        return try await store.units.transact { unit in
          let sealed = try first ?? old.seal(webhookSecret: secrets[0], of: record.id)
          let webhook = try await unit.insert(
            NewWebhook(
              record: record, organization: office.organization.record.key, url: "https://hooks.test/",
              types: [],
              sealedSecret: sealed))
          return try await unit.rotate(
            webhook, sealedSecret: old.seal(webhookSecret: secrets[1], of: record.id), overlapSeconds: 3600)
        }
      }
      let (sound, damaged) = (try await make(nil), try await make([UInt8](repeating: 9, count: 60)))
      let report = try await Rekeying(keys: both, units: store.units).run()
      #expect(report.resealed == 1 && report.failedWebhooks.map(\.webhook) == [damaged.record.id])
      for (column, secret) in zip(["earlier_secret", "sealed_secret"], secrets) {
        let text = try #require(
          try await store.ask(
            "SELECT replace(encode(\(column), 'base64'), E'\\n', '') FROM webhook WHERE public_id = '\(sound.record.id)'"
          ))
        let sealed = try #require(Base64.decode(text))
        #expect(try new.open(webhookSecret: sealed, of: sound.record.id) == secret)
        #expect(throws: OpenSSLError.self) { try old.open(webhookSecret: sealed, of: sound.record.id) }
      }
      let again = try await Rekeying(keys: both, units: store.units).run()
      #expect(again.resealed == 0)
    }
  }
}
