internal import HTTP

extension Client {
  /// Waits until the seat is not what revision `revision` was, or its right is lost (a refusal); nil when nothing
  /// changed within so many seconds (at most 300). It does not renew the seat.
  ///
  /// The client does nothing else meanwhile: give it a client of its own.
  public func watch(
    _ product: String, after revision: Int64, seconds: Int = 50
  ) async throws(ClientError) -> Seat? {
    let path = "\(Self.path(of: product))?after=\(revision)&wait=\(seconds)"
    let answer = try await perform(
      OutgoingRequest(method: .get, path: path), waiting: .seconds(seconds))
    return answer.status == 204 ? nil : try Seat(answer)
  }

  /// The seat held of a product as a signed lease, which `LeaseVerifier` checks without a network.
  public func signedSeat(_ product: String) async throws(ClientError) -> String {
    try await lease(
      OutgoingRequest(
        method: .get, path: Self.path(of: product), fields: [("Accept", "application/jwt")]))
  }

  /// Borrows a seat until a time (RFC 3339, UTC), heard from or not; the signed lease. `release` returns it early.
  public func borrow(_ product: String, until: String) async throws(ClientError) -> String {
    try await lease(
      OutgoingRequest(
        method: .post, path: Self.path(of: product) + "/borrow",
        fields: [("Accept", "application/jwt"), ("Content-Type", "application/json")],
        body: Array(#"{"until":"\#(until)"}"#.utf8)))
  }

  /// The keys that sign this server's leases, as a JWK Set.
  public func keySet() async throws(ClientError) -> [UInt8] {
    try await perform(OutgoingRequest(method: .get, path: "/v1/jwks.json")).body
  }

  private func lease(_ request: OutgoingRequest) async throws(ClientError) -> String {
    String(decoding: try await perform(request).body, as: UTF8.self)
  }
}
