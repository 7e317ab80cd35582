public import Issuance
public import Licensing
public import PKIX
internal import Reactor

/// A certificate that chains to a known authority, judged anew whenever it is asked: one object per certificate, shared
/// by all its connections and sessions.
///
/// The handshake proves the chain in memory. Whom the certificate speaks for is read from the database once, at its
/// first request (`Recognizer`), and kept here.
public final class DevicePeer: Sendable {
  public let organization: OrganizationEntry
  public let authority: AuthorityEntry
  public let certificate: Certificate
  /// Of this certificate alone.
  public let standing = Standing()
  private let recognition: Lock<Recognition?>

  /// Whom the certificate speaks for.
  public struct Recognition: Sendable {
    public let identity: IdentityEntry
    public let certificate: Key<CertificateRecord>
    let rules: Int64
  }

  init(_ certificate: Certificate, of authority: AuthorityEntry) {
    self.certificate = certificate
    self.authority = authority
    organization = authority.organization
    recognition = Lock(nil)
  }

  /// Nil until the database was asked, and again after the authority's rules changed.
  public var recognized: Recognition? {
    let known = recognition.withLock { $0 }
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

  func recognize(_ identity: IdentityEntry, certificate: Key<CertificateRecord>, rules: Int64) {
    recognition.withLock { $0 = Recognition(identity: identity, certificate: certificate, rules: rules) }
  }

  /// What speaks against the peer at this time of the server's clock, as far as memory knows; nil when nothing does.
  ///
  /// Its time comes last, so that an expired certificate that is otherwise in order may be renewed.
  public func refusal(at seconds: Int64) -> PeerRefusal? {
    switch organization.standing.state {
    case .good: break
    case .suspended: return .organizationSuspended
    case .revoked, .deleted: return .authorityRevoked
    }
    if authority.standing.state != .good { return .authorityRevoked }
    if standing.state != .good { return .certificateRevoked }
    if let known = recognized {
      switch known.identity.standing.state {
      case .good: break
      case .suspended: return .identitySuspended
      case .revoked, .deleted: return .identityDeleted
      }
    }
    if seconds < certificate.notBefore { return .certificateNotYetValid }
    if seconds > certificate.notAfter { return .certificateExpired }
    return nil
  }
}

extension DevicePeer {
  /// When the device should renew its certificate, if this service can renew it.
  public var renewAfter: Instant {
    organization.currentTerms.certificates.renewal(
      notBefore: certificate.notBefore, notAfter: certificate.notAfter)
  }
}
