public import Licensing
internal import PKIX
public import Reactor

extension SeatDesk {
  /// How a wait for a change of a seat ended.
  public enum Watched: Sendable {
    /// The seat is not what the device knows.
    case changed(HeldSeat)
    case unchanged
    /// The server ends: the device asks another one.
    case closed
    /// The device may not be served any more.
    case refused(PeerRefusal)
    /// There is no seat any more; the reason where the license is what speaks against it.
    case lost(SeatRefusal.Reason?)
  }

  /// Waits until the seat's revision is above `revision`, the seat or the right to it is lost, or the deadline comes.
  ///
  /// Nothing is done meanwhile: the change feed wakes whoever it concerns, and the end of the seat or of the certificate
  /// is a timer. Renewals, on whichever server, wake nobody.
  public func watch(
    _ peer: DevicePeer, _ identity: Key<Identity>, product: ProductCode, after revision: Int64,
    until deadline: MonotonicInstant
  ) async throws(StorageError) -> Watched {
    let organization = peer.organization.key
    while true {
      let ticket = watches.ticket
      if let refusal = peer.refusal(at: WallClock.seconds) { return .refused(refusal) }
      // Whom the certificate speaks for must be asked anew.
      guard peer.recognized?.identity.key == identity else { return .closed }
      guard let held = try await seat(of: identity, organization: organization, product: product) else {
        return .lost(try await reason(identity, organization, product))
      }
      if held.seat.revision > revision { return .changed(held) }
      if watches.isClosed || Task.isCancelled { return .closed }
      let now = MonotonicInstant.now
      guard now < deadline, let key = knownKey(of: product) else { return .unchanged }
      let certificateEnds = now.advanced(by: .seconds(peer.certificate.notAfter + 1 - WallClock.seconds))
      let next = [held.endsAt, certificateEnds].compactMap(\.self).reduce(deadline, min)
      await watches.wait(peer, identity, key, since: ticket, until: max(next, now))
    }
  }

  private func reason(
    _ identity: Key<Identity>, _ organization: Key<Organization>, _ product: ProductCode
  ) async throws(StorageError) -> SeatRefusal.Reason? {
    guard let key = knownKey(of: product) else { return .productUnknown }
    return try await store.suspension(of: identity, organization: organization, product: key)
  }
}

extension HeldSeat {
  /// When the seat ends unless it is renewed, by this machine's clock; nil when it is assigned for good.
  var endsAt: MonotonicInstant? {
    let end = [seat.expiresAt, seat.licenseEndsAt].compactMap(\.self).min()
    return end.map { askedAt.advanced(by: .microseconds($0.microseconds(since: seat.statedAt))) }
  }
}
