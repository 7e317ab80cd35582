import Cryptography
import HTTP
import Issuance
import Licensing

/// A POST that names itself by an `Idempotency-Key`: it is done once, and answered the same each time.
///
/// Only what has had an effect is stored, in the transaction of the effect; a refused request may be sent again under
/// the same key. Every stored answer is sealed under a key that only the caller's secret and the Idempotency-Key make:
/// the database alone gives no token away.
struct Repetition: Sendable {
  private let place: AnswerPlace
  /// SHA-256 of the body.
  private let request: [UInt8]
  private let key: SealingKey

  /// Nil when the request does not name itself.
  init?(_ exchange: Exchange) throws {
    guard let name = exchange.idempotencyKey, Exchange.isIdempotencyKey(name) else { return nil }
    let (caller, body) = (exchange.caller, exchange.request.body)
    request = try SHA256Digest(hashing: body).bytes
    let (principal, secret) =
      switch caller {
      case .token(let holder):
        ("token \(holder.token.record.id)", Array((exchange.request.bearerToken ?? "").utf8))
      case .device(let device), .administrator(let device):
        ("identity \(device.organization.rawValue) \(device.identity.rawValue)", [])
      // Whoever has no name is whoever sends this body, which holds the secret.
      case .nobody: ("nobody \(Hexadecimal.encode(request))", body)
      }
    let scope = try SHA256Digest(hashing: Array("\(principal)\n\(exchange.request.path)".utf8)).bytes
    place = AnswerPlace(scope: scope, name: try SHA256Digest(hashing: Array(name.utf8)).bytes)
    let derived = try HKDF.sha256(
      secret + [0] + Array(name.utf8), salt: scope, information: Array("usher stored answer".utf8))
    guard let key = SealingKey(bytes: derived) else { return nil }
    self.key = key
  }

  /// The answer that was given before. With nil, the place is held for `keep` until the transaction ends.
  func answer(in unit: any IssuanceUnitOfWork) async throws -> Response? {
    guard try await unit.hold(place) else {
      throw Problem(.requestInProgress, headers: [HeaderField(.retryAfter, "1")])
    }
    guard let stored = try await unit.answer(at: place) else { return nil }
    guard stored.request == request else { throw Problem(.idempotencyKeyReused) }
    guard let body = try? key.open(stored.sealedBody, authenticating: place.scope + place.name) else {
      throw Problem(
        .idempotencyKeyReused,
        "The request was carried out, but only the secret of the token that it came with opens its answer, and that was changed since. Look at the resource instead."
      )
    }
    var headers = stored.headers.compactMap { stored in
      Self.kept.first { $0.description == stored.name }.map { HeaderField($0, stored.value) }
    }
    headers.append(HeaderField("Idempotent-Replayed", "true"))
    return Response(Int(stored.status), headers: headers, body: body.revealed())
  }

  func keep(_ response: Response, in unit: any IssuanceUnitOfWork) async throws {
    let headers = response.headers.compactMap { header in
      Self.kept.first { $0 == header.name }.map { StoredAnswer.Header($0.description, header.value) }
    }
    let sealed = try key.seal(
      SecretBytes(copying: response.body), authenticating: place.scope + place.name)
    try await unit.keep(
      StoredAnswer(
        request: request, status: Int16(clamping: response.status), headers: headers, sealedBody: sealed),
      at: place)
  }

  /// The header fields that a handler may give an answer to a POST.
  private static let kept: [FieldName] = [.contentType, .etag, .location, .cacheControl]
}

extension Exchange {
  /// The name that a POST gives itself; other methods need none.
  var idempotencyKey: String? { request.method == .post ? request.header(.idempotencyKey) : nil }

  /// 422 when the request names itself by what is no name.
  func checkIdempotencyKey() throws(Problem) {
    guard let name = idempotencyKey, !Self.isIdempotencyKey(name) else { return }
    throw .invalid("Idempotency-Key", "must be 1 to 255 visible ASCII characters")
  }

  static func isIdempotencyKey(_ name: String) -> Bool {
    (1...255).contains(name.utf8.count) && name.utf8.allSatisfy { (0x21...0x7e).contains($0) }
  }
}
