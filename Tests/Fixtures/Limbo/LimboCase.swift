import JSON

/// A case of x509-limbo (C2SP, Apache-2.0) with a client's certificate.
public struct LimboCase: Sendable {
  public let id: String
  public let anchors: [String]
  public let intermediates: [String]
  public let leaf: String
  /// The leaf's private key; few cases have none.
  public let key: String?
  public let lists: [String]
  /// RFC 3339; nil where any time in this century does.
  public let time: String?
  /// Whether the case is about a bound on the path's length, which is not a server's to choose.
  public let hasDepth: Bool
  public let isSuccessExpected: Bool

  init?(_ value: JSONValue) {
    guard case .string(let id) = value["id"], case .string(let leaf) = value["peer_certificate"],
      case .string(let expected) = value["expected_result"]
    else { return nil }
    func texts(_ name: String) -> [String] {
      guard case .array(let values) = value[name] else { return [] }
      return values.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }
    func text(_ name: String) -> String? { if case .string(let text) = value[name] { text } else { nil } }
    self.id = id
    self.leaf = leaf
    anchors = texts("trusted_certs")
    intermediates = texts("untrusted_intermediates")
    key = text("peer_certificate_key")
    lists = texts("crls")
    time = text("validation_time")
    if case .integer = value["max_chain_depth"] { hasDepth = true } else { hasDepth = false }
    isSuccessExpected = expected == "SUCCESS"
  }
}
