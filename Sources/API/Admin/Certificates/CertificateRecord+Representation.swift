import Cryptography
import Issuance
import JSON
import Licensing

extension CertificateRecord: Representation {
  /// The fingerprint is what other calls take, so it is the id.
  func writeMembers(to writer: inout JSONWriter) {
    let fingerprint = Hexadecimal.encode(facts.fingerprint)
    writer.member("id", fingerprint)
    writer.member("serialNumber", facts.serialNumber)
    writer.member("fingerprint", fingerprint)
    writer.member("identityId", identityID)
    writer.member("authority", authorityID)
    writer.member("source", source.word)
    writer.member("status", status.word)
    writer.member("notBefore", facts.notBefore)
    writer.member("notAfter", facts.notAfter)
    writer.member("revokedAt", revokedAt)
    writer.member("reason", reason?.word)
    writer.member("createdAt", createdAt)
  }
}
