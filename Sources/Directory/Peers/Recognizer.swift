public import Issuance
public import Licensing
public import Reactor

/// Finds out, once per certificate, whom it speaks for: by its row if we know it, else by the name that an external CA
/// gave it.
///
/// Devices come by the hundred, after a server's start or when they are new. Those of one authority who come while others
/// of it are looked up go together into the next look-up, so that they neither wait for each other's transactions nor
/// keep the connections from anybody else.
public final class Recognizer: Sendable {
  private let directory: TrustDirectory
  private let trust: any TrustSource
  private let units: any UnitsOfWork
  private let loops: [EventLoop]
  private let makeID: @Sendable () throws -> Identifier
  private let lines = Lock<[Purpose: Combiner<RecognitionBatches>]>([:])

  /// What somebody waits for.
  private struct Purpose: Hashable {
    let authority: Key<Authority>
    let onlyReads: Bool
  }

  /// `loops` are those that requests run on.
  public init(
    directory: TrustDirectory, trust: any TrustSource, units: any UnitsOfWork, on loops: [EventLoop],
    makeID: @escaping @Sendable () throws -> Identifier
  ) {
    self.directory = directory
    self.trust = trust
    self.units = units
    self.loops = loops
    self.makeID = makeID
  }

  /// Fills in `peer.recognized`, as of this time of the server's clock. Thrown: a `PeerRefusal` (of the identity, or of
  /// a CA above the certificate) or a `StorageError`.
  public func recognize(_ peer: DevicePeer, at seconds: Int64) async throws {
    if peer.recognized != nil { return }
    try await line(of: peer.authority, onlyReads: false).decide(.init(peer: peer, seconds: seconds))
  }

  /// What the database says against a peer, read without any effect: in a handshake nobody has shown yet that they have
  /// the key. Nil also where the database cannot tell.
  ///
  /// Where there is nothing to be written, `peer.recognized` is filled in.
  public func refusal(of peer: DevicePeer, at seconds: Int64) async -> PeerRefusal? {
    if peer.recognized != nil { return nil }
    do {
      try await line(of: peer.authority, onlyReads: true).decide(.init(peer: peer, seconds: seconds))
      return nil
    } catch {
      return error as? PeerRefusal
    }
  }

  /// How many wait for the look-up after the one that is away, of all authorities.
  var waitingCount: Int { lines.withLock { Array($0.values) }.reduce(0) { $0 + $1.waitingCount } }

  /// Where those of an authority wait. An authority is an object for as long as the server runs.
  private func line(of authority: AuthorityEntry, onlyReads: Bool) -> Combiner<RecognitionBatches> {
    let purpose = Purpose(authority: authority.key, onlyReads: onlyReads)
    return lines.withLock { lines in
      if let known = lines[purpose] { return known }
      let batches = RecognitionBatches(
        authority: authority, directory: directory, trust: trust,
        registrar: Registrar(units: units, onlyReads: onlyReads, makeID: makeID))
      let line = Combiner(batches, on: loops)
      lines[purpose] = line
      return line
    }
  }
}
