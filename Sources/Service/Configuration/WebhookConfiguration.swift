public import Webhooks

/// How events are sent to webhooks.
public struct WebhookConfiguration: Sendable, Equatable {
  /// To which addresses: those of the open internet, or any.
  public var addresses: AddressPolicy = .public
  /// PEM: the CAs that receivers' certificates must chain to; nil: the system's.
  public var authorities: String?
}
