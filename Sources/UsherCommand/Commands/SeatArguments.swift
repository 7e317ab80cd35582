/// What `claim`, `check` and `release` take.
struct SeatArguments: Sendable {
  private static let identity = Option<String>(
    "identity", "DIR", required: true, "The folder that enroll wrote")
  private static let deviceURL = Option<String>(
    "device-url", "URL", required: false, "Where the server is, instead of what identity.json says")
  private static let product = Operand("PRODUCT", "The product's code")
  static let arguments: [any Argument] = [identity, deviceURL, product]

  let identity: String
  let deviceURL: String?
  let product: String

  init(_ given: GivenArguments) throws(UsageError) {
    identity = try given.value(Self.identity)
    deviceURL = try given.optional(Self.deviceURL)
    product = try given.word(Self.product)
  }
}
