public import Licensing

/// How a path addresses a certificate.
public enum CertificateReference: Sendable, Hashable {
  /// SHA-256 of the DER, 32 bytes.
  case fingerprint([UInt8])
  /// Lower-case hex without leading zero octets.
  case serialNumber(String)
}

public protocol CertificateRepository: Sendable {
  /// Conflict `.certificateSerial` when the authority has used the serial.
  func insert(
    _ facts: CertificateFacts, source: CertificateRecord.Source, authority: Authority, identity: Key<Identity>
  ) async throws(StorageError) -> CertificateRecord
  /// All matches within the organization: a serial may be used by several authorities.
  func certificates(_ reference: CertificateReference, of organization: Key<Organization>, locked: Bool)
    async throws(StorageError) -> [CertificateRecord]
  func certificates(of identity: Key<Identity>, organization: Key<Organization>, _ page: PageRequest)
    async throws(StorageError) -> Page<CertificateRecord>
  func revoke(
    _ certificate: Key<CertificateRecord>, organization: Key<Organization>, reason: RevocationReason)
    async throws(StorageError)
  /// The identity that has a certificate over this public key (SHA-256 of its SPKI), if any has.
  func holder(ofKey spki: [UInt8], organization: Key<Organization>) async throws(StorageError) -> Key<
    Identity
  >?
  /// An identity, tombstones too, that an external CA names so.
  func identity(named external: ExternalName, of organization: Key<Organization>) async throws(StorageError)
    -> Identity?
}
