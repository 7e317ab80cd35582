internal import PKIX
internal import TLS

extension Client {
  /// A client without a certificate, which can only enroll.
  ///
  /// - Parameters:
  ///   - server: `https://host[:port]` of the enrollment listener.
  ///   - authorityPEM: the certificates of the authorities that the server's certificate may lead to; no other is believed.
  ///   - timeout: for each operation.
  public init(server: String, authorityPEM: [UInt8], timeout: Duration = .seconds(30)) throws(ClientError) {
    try self.init(
      server: server, authorityPEM: authorityPEM, timeout: timeout, bodyLimit: AnswerParser.usualBodyLimit)
  }

  init(
    server: String, authorityPEM: [UInt8], timeout: Duration, bodyLimit: Int
  ) throws(ClientError) {
    try self.init(
      server: server, context: try makeContext(authorityPEM: authorityPEM, credential: nil), timeout: timeout,
      bodyLimit: bodyLimit)
  }

  /// A client that shows a device's certificate to the server that the identity names, or to another `server`.
  public init(
    identity: DeviceIdentity, server: String? = nil, timeout: Duration = .seconds(30)
  ) throws(ClientError) {
    let chain = try certificates(identity.chainPEM, "certificate chain")
    let credential: Credential
    do throws(TLSConfigurationError) {
      credential = try Credential(chain: chain, privateKey: identity.key.privateKey)
    } catch { throw .unusable(error.description) }
    try self.init(
      server: server ?? identity.deviceURL,
      context: try makeContext(authorityPEM: identity.authorityPEM, credential: credential), timeout: timeout)
  }

  /// Gets a certificate for the key that signed `request` (PKCS#10, DER) by an enrollment token.
  ///
  /// Repeating it with the same key within ten minutes gives the same certificate.
  public func enroll(token: String, request: [UInt8]) async throws(ClientError) -> IssuedCertificate {
    guard !token.isEmpty, token.utf8.allSatisfy({ 0x21...0x7e ~= $0 }) else {
      throw .unusable("the enrollment token is empty or holds characters that no token has")
    }
    let fields = [("Authorization", "Bearer \(token)"), ("Content-Type", "application/pkcs10")]
    return try IssuedCertificate(
      await perform(OutgoingRequest(method: .post, path: "/v1/enroll", fields: fields, body: request)))
  }

  /// Renews this device's certificate with the key that signed `request` (PKCS#10, DER). The seat stays.
  public func renewCertificate(request: [UInt8]) async throws(ClientError) -> IssuedCertificate {
    let fields = [("Content-Type", "application/pkcs10")]
    return try IssuedCertificate(
      await perform(OutgoingRequest(method: .post, path: "/v1/certificates", fields: fields, body: request)))
  }

  /// Who the server says this device is.
  public func identity() async throws(ClientError) -> IdentityReport {
    try IdentityReport(await perform(OutgoingRequest(method: .get, path: "/v1/identity")))
  }

  /// Claims a seat of a product, or renews the one held.
  ///
  /// With `generation` it renews that seat only: when it was lost meanwhile, the refusal `lease-lost` says how.
  public func claim(
    _ product: String, renewing generation: Int64? = nil
  ) async throws(ClientError) -> Seat {
    let fields = generation.map { [("If-Match", "\"\($0)\"")] } ?? []
    return try Seat(
      await perform(OutgoingRequest(method: .put, path: Self.path(of: product), fields: fields)))
  }

  /// The seat held of a product; without one, the refusal `seat-not-held`.
  public func check(_ product: String) async throws(ClientError) -> Seat {
    try Seat(await perform(OutgoingRequest(method: .get, path: Self.path(of: product))))
  }

  /// Gives the seat of a product back; without one, nothing happens. An assigned seat stays assigned.
  public func release(_ product: String) async throws(ClientError) {
    _ = try await perform(OutgoingRequest(method: .delete, path: Self.path(of: product)))
  }

  static func path(of product: String) -> String { "/v1/seats/" + OutgoingRequest.segment(product) }
}

private func makeContext(authorityPEM: [UInt8], credential: Credential?) throws(ClientError) -> ClientContext
{
  let authorities = try certificates(authorityPEM, "server's authority")
  do throws(TLSConfigurationError) {
    return try ClientContext(authorities: authorities, credential: credential)
  } catch { throw .unusable(error.description) }
}

private func certificates(_ pem: [UInt8], _ what: String) throws(ClientError) -> [Certificate] {
  do { return try Certificate.all(inPEM: pem) } catch {
    throw .unusable("the \(what) cannot be read: \(error)")
  }
}
