public import Licensing
public import PKIX

/// Answers OCSP for the authorities whose keys the service holds (RFC 6960), with keys of this server's own.
///
/// Of every certificate asked about the database is asked: a status is never remembered. What is remembered is its
/// signature, as long as the status is the same and no nonce wants a new one (RFC 5019).
public actor OCSPDesk {
  /// An OCSPResponse in DER.
  public struct Answer: Sendable {
    public let der: [UInt8]
    /// Since when and until when it is good; nil: nobody may keep it.
    public let validity: (from: Int64, to: Int64)?

    /// There is no answer; such a response is not signed.
    public init(_ failure: OCSPFailure) {
      der = failure.der
      validity = nil
    }

    fileprivate init(der: [UInt8], validity: (from: Int64, to: Int64)?) {
      self.der = der
      self.validity = validity
    }
  }

  private struct Remembered: Hashable {
    let authority: Identifier
    let request: OCSPRequest
    let statuses: [OCSPStatus]
  }

  private let store: any RevocationStore
  private let certifier: ResponderCertifier
  private let policy: RevocationPolicy
  private let clock: @Sendable () -> Int64
  private let capacity: Int
  private var answers: [Remembered: Answer] = [:]
  private var responders: [Identifier: ResponderCertifier.Responder] = [:]
  /// Those who wait for a responder that is being made.
  private var waiters: [Identifier: [CheckedContinuation<Void, Never>]] = [:]

  /// At most `capacity` answers are remembered, and as many responders.
  public init(
    store: any RevocationStore, certifier: ResponderCertifier, policy: RevocationPolicy = RevocationPolicy(),
    capacity: Int = 10_000, clock: @escaping @Sendable () -> Int64
  ) {
    self.store = store
    self.certifier = certifier
    self.policy = policy
    self.capacity = capacity
    self.clock = clock
  }

  /// Answers a request about certificates of one authority.
  public func answer(_ der: [UInt8], under authority: Identifier) async -> Answer {
    guard let request = OCSPRequest(der: der) else { return Answer(.malformedRequest) }
    do {
      let serials = request.certificates.map(\.serialNumber.description)
      guard let found = try await store.statuses(of: serials, under: authority),
        let responder = try await responder(of: authority),
        request.certificates.contains(where: responder.issuer.issued)
      else { return Answer(.unauthorized) }
      let known = Dictionary(found.map { ($0.serialNumber, $0) }, uniquingKeysWith: { first, _ in first })
      let statuses = request.certificates.map { id -> OCSPStatus in
        guard responder.issuer.issued(id) else { return .unknown }
        return known[id.serialNumber.description].map(OCSPStatus.init) ?? .notIssued
      }
      return try answer(request, statuses, by: responder, of: authority)
    } catch StorageError.unavailable, StorageError.outcomeUnknown {
      return Answer(.tryLater)
    } catch is IssuingError {
      // It cannot certify a responder (any more): nobody here can speak for it.
      return Answer(.unauthorized)
    } catch {
      return Answer(.internalError)
    }
  }

  private func answer(
    _ request: OCSPRequest, _ statuses: [OCSPStatus], by responder: ResponderCertifier.Responder,
    of authority: Identifier
  ) throws -> Answer {
    let now = clock()
    let key = Remembered(authority: authority, request: request, statuses: statuses)
    if let known = answers[key], let validity = known.validity, now < (validity.from + validity.to) / 2 {
      return known
    }
    // No answer outlives the certificate by which it is believed.
    let end = min(now + policy.answerLifetime, responder.signer.certificate.notAfter)
    let validity = (from: now - policy.backdating, to: end)
    let der = try responder.signer.answer(
      request, with: statuses, thisUpdate: validity.from, nextUpdate: validity.to, at: now)
    guard request.nonce == nil else { return Answer(der: der, validity: nil) }
    let answer = Answer(der: der, validity: validity)
    if answers.count >= capacity { for key in answers.keys.prefix(capacity / 8 + 1) { answers[key] = nil } }
    answers[key] = answer
    return answer
  }

  /// The authority's responder on this server; only one is made at a time. Nil: there is no such authority.
  private func responder(of authority: Identifier) async throws -> ResponderCertifier.Responder? {
    while true {
      if let known = responders[authority], clock() < known.renewAt { return known }
      guard waiters[authority] != nil else { break }
      await withCheckedContinuation { waiters[authority]?.append($0) }
    }
    waiters[authority] = []
    defer { for waiter in waiters.removeValue(forKey: authority) ?? [] { waiter.resume() } }
    guard let signing = try await store.signingAuthority(authority) else { return nil }
    let made = try await certifier.certify(for: signing, lifetime: policy.responderLifetime, at: clock())
    if responders.count >= capacity { responders.removeAll() }
    responders[authority] = made
    return made
  }
}

extension OCSPStatus {
  fileprivate init(_ status: IssuedStatus) {
    self =
      status.revokedAt.map { .revoked(at: $0.seconds, reason: status.reason.listed) } ?? .good
  }
}
