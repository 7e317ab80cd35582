public import Issuance
public import Licensing
public import PKIX
internal import Reactor
internal import Synchronization

/// A certificate that chains to a known authority, judged anew whenever it is asked: one object per certificate and
/// chain, shared by all its connections and sessions.
///
/// The handshake proves the chain in memory. Whom the certificate speaks for is read from the database once, at its
/// first request (`Recognizer`), and kept here.
public final class DevicePeer: Sendable {
  public let organization: OrganizationEntry
  public let authority: AuthorityEntry
  public let certificate: Certificate
  /// Of this certificate alone.
  public let standing = Standing()
  private let knowledge: Lock<Knowledge>
  private weak let directory: TrustDirectory?
  private let map: Generation
  /// When it was last noted that it is there, in seconds since 1970.
  private let noted = Atomic<Int64>(.min / 2)

  fileprivate struct Knowledge: Sendable {
    /// What the handshake proved, and whether it was found to hold no longer.
    var proof: TrustProof
    var isLost = false
    /// When the database was last asked about it of our own accord, in seconds since 1970.
    var lookedUp: Int64 = 0
    /// Read for the CAs of this very proof.
    var recognition: Recognition?
  }

  /// Whom the certificate speaks for.
  public final class Recognition: Sendable {
    public let identity: IdentityEntry
    public let certificate: Key<CertificateRecord>
    let rules: Int64

    init(identity: IdentityEntry, certificate: Key<CertificateRecord>, rules: Int64) {
      self.identity = identity
      self.certificate = certificate
      self.rules = rules
    }
  }

  /// `map` counts the changes of the directory's authorities.
  init(_ certificate: Certificate, proven proof: TrustProof, in directory: TrustDirectory?, map: Generation) {
    self.certificate = certificate
    authority = proof.authority
    organization = proof.authority.organization
    knowledge = Lock(Knowledge(proof: proof))
    self.directory = directory
    self.map = map
  }

  /// Nil until the database was asked, and again after the authority's rules changed.
  public var recognized: Recognition? { valid(knowledge.withLock { $0.recognition }) }

  private func valid(_ known: Recognition?) -> Recognition? {
    // What we issued is known by its row; only an external CA's names go through rules that may change.
    guard let known, authority.kind != .external || known.rules == authority.currentRules.generation else {
      return nil
    }
    return known
  }

  /// Whether it is worth asking the database whom the certificate speaks for.
  public var mayBeRecognized: Bool {
    recognized == nil && organization.standing.state == .good && authority.standing.state == .good
      && standing.state == .good
  }

  /// Whether it had no right when it came, which only the database knew.
  public var wasOver: Bool {
    standing.wasFoundLost || recognized?.identity.standing.wasFoundLost ?? false
  }

  /// Whether to ask the database about it now though it asks for nothing; true at most once in half a minute.
  public func isToBeLookedUp(at seconds: Int64) -> Bool {
    guard mayBeRecognized else { return false }
    return knowledge.withLock { known in
      guard seconds >= known.lookedUp + 30 else { return false }
      known.lookedUp = seconds
      return true
    }
  }

  /// Whether it is worth noting that the device is there: true at most once in a quarter of an hour.
  public func isToBeNoted(at seconds: Int64) -> Bool {
    let last = noted.load(ordering: .relaxed)
    guard seconds - last >= 900 else { return false }
    return noted.compareExchange(expected: last, desired: seconds, ordering: .relaxed).exchanged
  }

  /// The CAs through which the certificate is believed now.
  var issuers: [Issuer] { knowledge.withLock { $0.proof.issuers } }

  /// Notes whom the certificate speaks for; false when it is believed through other CAs by now.
  func recognize(_ recognition: Recognition, through issuers: [Issuer] = []) -> Bool {
    knowledge.withLock { known in
      guard known.proof.issuers.elementsEqual(issuers, by: ===) else { return false }
      known.recognition = recognition
      return true
    }
  }

  /// Whether what the handshake proved holds for a handshake with these certificates beside the leaf.
  func isProven(at seconds: Int64, presented: @autoclosure () -> [Certificate]) -> Bool {
    let proof = knowledge.withLock { $0.proof }
    return proof.holds(at: seconds, under: map.value) && (proof.isDirect || proof.presented == presented())
  }

  /// Whether a proof leads through the same CAs to the same authority.
  func isBelieved(as proof: TrustProof) -> Bool {
    authority === proof.authority && issuers.elementsEqual(proof.issuers, by: ===)
  }

  func prove(by proof: TrustProof) {
    knowledge.withLock { known in
      // Of other CAs nobody has asked yet whether a list names them.
      if !known.proof.issuers.elementsEqual(proof.issuers, by: ===) { known.recognition = nil }
      known.proof = proof
      known.isLost = false
    }
  }

  enum Trust: Sendable { case good, revoked, lost }

  /// Whether the same authority still vouches for the certificate; judged anew when what that rests on changed.
  func trust(at seconds: Int64) -> Trust {
    knowledge.withLock { $0.trust(at: seconds, under: map.value) } ?? trustAnew(at: seconds)
  }

  private func trustAnew(at seconds: Int64) -> Trust {
    let presented = knowledge.withLock { $0.proof.presented }
    let fresh = directory?.judge(certificate, presented: presented, at: seconds)
    if let fresh, fresh.authority === authority {
      prove(by: fresh)
      return fresh.isRevoked ? .revoked : .good
    }
    knowledge.withLock { $0.isLost = true }
    return .lost
  }

  /// What speaks against the peer at this time of the server's clock, as far as memory knows; nil when nothing does.
  ///
  /// Its time comes last, so that an expired certificate that is otherwise in order may be renewed.
  public func refusal(at seconds: Int64) -> PeerRefusal? { judge(at: seconds).refusal }

  /// The same, and for whom the certificate speaks; nil before that was asked, and where it does not matter any more.
  public func judge(at seconds: Int64) -> (refusal: PeerRefusal?, recognized: Recognition?) {
    switch organization.standing.state {
    case .good: break
    case .suspended: return (.organizationSuspended, nil)
    case .revoked, .deleted: return (.authorityRevoked, nil)
    }
    if authority.standing.state != .good { return (.authorityRevoked, nil) }
    let map = map.value
    // Both under one lock: this is asked before every answer.
    let (recognition, trust) = knowledge.withLock { ($0.recognition, $0.trust(at: seconds, under: map)) }
    let known = valid(recognition)
    let refusal = refusal(of: known, trust: trust, at: seconds)
    // Judged anew, it may be believed through other CAs, for which nobody was asked yet whom it speaks for.
    return (refusal, trust == nil ? recognized : known)
  }

  private func refusal(of recognized: Recognition?, trust: Trust?, at seconds: Int64) -> PeerRefusal? {
    let identity = recognized?.identity.standing.state ?? .good
    // With an identity its certificates are revoked: that it is gone says more.
    if identity == .deleted { return .identityDeleted }
    if standing.state != .good { return .certificateRevoked }
    if identity != .good { return .identitySuspended }
    switch trust ?? trustAnew(at: seconds) {
    case .good: break
    case .revoked: return .certificateRevoked
    case .lost: return .trustChanged
    }
    if seconds < certificate.notBefore { return .certificateNotYetValid }
    if seconds > certificate.notAfter { return .certificateExpired }
    return nil
  }
}

extension DevicePeer.Knowledge {
  /// What is known without judging anew; nil: something that the proof rests on has changed.
  fileprivate func trust(at seconds: Int64, under map: UInt64) -> DevicePeer.Trust? {
    // A chain that has ended, or an authority that is gone, does not come back to a connection.
    if isLost { return .lost }
    guard proof.holds(at: seconds, under: map) else { return nil }
    return proof.isRevoked ? .revoked : .good
  }
}

extension DevicePeer {
  /// When the device should renew its certificate, if this service can renew it.
  public var renewAfter: Instant {
    organization.currentTerms.certificates.renewal(
      notBefore: certificate.notBefore, notAfter: certificate.notAfter)
  }
}
