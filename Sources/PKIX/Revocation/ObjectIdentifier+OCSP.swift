extension ObjectIdentifier {
  package static let ocspSigning = ObjectIdentifier("1.3.6.1.5.5.7.3.9")
  package static let ocspBasicResponse = ObjectIdentifier("1.3.6.1.5.5.7.48.1.1")
  package static let ocspNonce = ObjectIdentifier("1.3.6.1.5.5.7.48.1.2")
  package static let ocspNoCheck = ObjectIdentifier("1.3.6.1.5.5.7.48.1.5")
  package static let ocspExtendedRevoke = ObjectIdentifier("1.3.6.1.5.5.7.48.1.9")
}
