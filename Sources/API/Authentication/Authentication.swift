import HTTP
import Issuance
import Licensing

/// Turns an API token into a caller.
///
/// Each call looks the token up, so that revoking one bites at once.
struct Authentication: Sendable {
  let units: any UnitsOfWork
  let used: @Sendable (Key<APIToken>) -> Void

  func caller(of request: Request) async throws -> Caller {
    guard request.header(.authorization) != nil else {
      throw Self.refusal("There is no “Authorization: Bearer <token>” in the request.", challenge: "Bearer")
    }
    guard let text = request.bearerToken,
      let token = BearerToken(text, of: [.operator, .organization])
    else { throw Self.refusal("What follows “Authorization” is not an API token of this service.") }
    guard let holder = try await units.read({ try await $0.token(hash: token.hash) }) else {
      throw Self.refusal("The token is unknown, expired or revoked.")
    }
    used(holder.token.record.key)
    return .token(holder)
  }

  private static func refusal(
    _ detail: String, challenge: String = "Bearer error=\"invalid_token\""
  ) -> Problem {
    Problem(.tokenInvalid, detail, headers: [HeaderField(.wwwAuthenticate, challenge)])
  }
}
