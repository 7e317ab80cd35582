internal import Cryptography
public import Licensing
public import PKIX

/// Takes in the revocation list of an organization's own CA.
public struct RevocationListIntake: Sendable {
  private let clock: @Sendable () -> Int64

  /// `clock` gives seconds since 1970: lists are judged by the server's own clock.
  public init(clock: @escaping @Sendable () -> Int64) { self.clock = clock }

  /// Why a list is not taken.
  public enum Failure: Error, Sendable {
    /// The service makes this authority's list itself.
    case notExternal
    case list(RevocationListError)
    /// There is one of this number, or a greater one, from the same CA.
    case notNewer(than: SerialNumber)
  }

  /// Reads a list in DER or PEM: off the event loops, since it may be long.
  @concurrent
  public func read(_ body: [UInt8]) async throws(Failure) -> RevocationList {
    do { return try RevocationList(body) } catch { throw .list(error) }
  }

  /// Makes sure that the authority's anchor, or an intermediate of it that is known, signed the list.
  @concurrent
  public func accept(_ list: RevocationList, for authority: Authority) async throws -> ExternalRevocationList
  {
    guard authority.kind == .external else { throw Failure.notExternal }
    let chain = try authority.chain()
    guard let anchor = chain.first else { throw Failure.list(.wrongIssuer) }
    do throws(RevocationListError) {
      let validator: PathValidator
      do throws(PathFailure) {
        validator = try PathValidator(anchor: anchor, intermediates: Array(chain.dropFirst()))
      } catch { throw .issuerNotTrusted(error) }
      return try ExternalRevocationList(validator.accept(list, at: clock()))
    } catch { throw Failure.list(error) }
  }
}

/// A list of an organization's own CA that is believed.
public struct ExternalRevocationList: Sendable {
  public let list: RevocationList
  /// The certificate by which it was believed.
  public let issuer: Certificate
  /// SHA-256 of the key that signed it: an authority's anchor and each of its intermediates has a list of its own.
  public let issuerKey: [UInt8]

  init(_ accepted: AcceptedRevocationList) throws(RevocationListError) {
    list = accepted.list
    issuer = accepted.issuer
    do {
      issuerKey = try SHA256Digest(hashing: issuer.subjectPublicKeyInfo).bytes
    } catch { throw .unreadable("\(error)") }
  }
}

extension Authority {
  /// Stands among the warnings of an external authority whose list should have been replaced by now.
  public static let staleListWarning =
    "the revocation list is past its nextUpdate: what it revoked stays revoked; upload a newer one"
}

public protocol RevocationListRepository: Sendable {
  /// The number of the list that a key of an external authority signed last.
  func revocationListNumber(of authority: Authority, issuer: [UInt8]) async throws(StorageError)
    -> SerialNumber?
  /// What the authority's lists name by these serial numbers.
  func listings(of serialNumbers: [String], under authority: Key<Authority>) async throws(StorageError)
    -> [Listing]
  /// Replaces the last list of the same key. Certificates that were seen already are revoked by it, or are good again if
  /// only the last one named them.
  func store(_ list: ExternalRevocationList, of authority: Authority) async throws(StorageError)
}
