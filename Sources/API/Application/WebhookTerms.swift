public import Issuance
public import Webhooks

/// What the routes of webhooks work with: how secrets are kept, and where requests may go.
public struct WebhookTerms: Sendable {
  let keys: AuthorityKeys
  let addresses: AddressPolicy

  public init(keys: AuthorityKeys, addresses: AddressPolicy) {
    self.keys = keys
    self.addresses = addresses
  }
}
