public import Directory
public import HTTP
public import Issuance
public import Licensing
import PKIX

/// Asks, before every request, whether the device behind the connection may still be served, and who it is.
public struct DeviceGate: Sendable {
  private let directory: TrustDirectory
  private let recognizer: Recognizer
  private let feed: FeedHealth
  private let clock: @Sendable () -> Int64
  private let refused: @Sendable (PeerRefusal, DevicePeer) -> Void
  private let seen: @Sendable (TenantKey<Identity>) -> Void

  /// `clock` gives seconds since 1970: certificates are judged by the server's own clock. `refused` is told of everyone
  /// who is refused, and `seen` now and then of who is not.
  public init(
    directory: TrustDirectory, recognizer: Recognizer, feed: FeedHealth,
    clock: @escaping @Sendable () -> Int64,
    refused: @escaping @Sendable (PeerRefusal, DevicePeer) -> Void = { _, _ in },
    seen: @escaping @Sendable (TenantKey<Identity>) -> Void = { _ in }
  ) {
    self.directory = directory
    self.recognizer = recognizer
    self.feed = feed
    self.clock = clock
    self.refused = refused
    self.seen = seen
  }

  /// The caller, or why there is none: a `Problem` that the client can read.
  public func authenticate(_ peer: DevicePeer, _ request: Request) async throws -> Caller {
    if let device = recall(peer, request) { return Caller(device) }
    guard serves(peer, request) else {
      throw Problem(.misdirectedRequest, contactURL: peer.organization.currentTerms.contactURL)
    }
    if feed.freshness() == .lost { throw StorageError.unavailable("the database has been away for too long") }
    do {
      // Whom the certificate speaks for comes before its time: an expired one of a deleted identity is told the latter.
      if peer.mayBeRecognized { try await recognize(peer) }
      if let refusal = peer.refusal(at: clock()) { throw refusal }
    } catch let refusal as PeerRefusal {
      guard refusal == .certificateExpired, mayRenew(peer, request), let caller = Caller(peer) else {
        refused(refusal, peer)
        throw Problem(peer: refusal, contactURL: peer.organization.currentTerms.contactURL)
      }
      return caller
    }
    guard let device = DeviceCaller(peer) else {
      throw StorageError.unavailable("the certificate's identity was not read")
    }
    return Caller(admit(device, at: clock()))
  }

  /// The caller of nearly every request: nothing speaks against the peer, and memory is not too old to say so. Nil: ask
  /// `authenticate`.
  public func recall(_ peer: DevicePeer, _ request: Request) -> DeviceCaller? {
    let now = clock()
    guard serves(peer, request) else { return nil }
    let (refusal, recognized) = peer.judge(at: now)
    guard refusal == nil, let recognized, feed.freshness() != .lost else { return nil }
    return admit(DeviceCaller(peer, as: recognized), at: now)
  }

  private func admit(_ device: DeviceCaller, at now: Int64) -> DeviceCaller {
    if device.peer.isToBeNoted(at: now) { seen(TenantKey(device.organization, device.identity)) }
    return device
  }

  /// The name of the handshake was judged there; it may be another organization's since.
  private func serves(_ peer: DevicePeer, _ request: Request) -> Bool {
    directory.serves(peer.organization, under: request.host)
  }

  /// A newcomer waits for no database that is known to be away.
  private func recognize(_ peer: DevicePeer) async throws {
    if peer.recognized != nil { return }
    guard feed.freshness() == .fresh else { throw StorageError.unavailable("the change feed is not fresh") }
    try await recognizer.recognize(peer, at: clock())
  }

  private func mayRenew(_ peer: DevicePeer, _ request: Request) -> Bool {
    let end = peer.certificate.notAfter + peer.organization.currentTerms.renewAfterExpirySeconds
    return request.method == .post && request.path == "/v1/certificates" && clock() <= end
  }
}

extension Problem {
  init(peer refusal: PeerRefusal, contactURL: String?) {
    let code: ProblemCode =
      switch refusal {
      case .organizationSuspended: .organizationSuspended
      case .authorityRevoked: .authorityRevoked
      case .certificateRevoked: .certificateRevoked
      case .identityDeleted: .identityDeleted
      case .identityUnknown: .identityUnknown
      case .identitySuspended: .identitySuspended
      case .certificateNotYetValid: .certificateNotYetValid
      case .certificateExpired: .certificateExpired
      case .trustChanged: .misdirectedRequest
      }
    let detail =
      refusal == .trustChanged
      ? "Which authorities are trusted has changed since this connection was made. Connect again." : nil
    self.init(code, detail, contactURL: contactURL)
  }
}
