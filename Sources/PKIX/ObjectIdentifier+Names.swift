extension ObjectIdentifier {
  /// A request's attribute for the extensions that it asks for (RFC 2985 section 5.4.2).
  package static let extensionRequest = ObjectIdentifier("1.2.840.113549.1.9.14")
  package static let commonName = ObjectIdentifier("2.5.4.3")

  package static let subjectKeyIdentifier = ObjectIdentifier("2.5.29.14")
  package static let keyUsage = ObjectIdentifier("2.5.29.15")
  package static let subjectAltName = ObjectIdentifier("2.5.29.17")
  package static let basicConstraints = ObjectIdentifier("2.5.29.19")
  package static let nameConstraints = ObjectIdentifier("2.5.29.30")
  package static let crlDistributionPoints = ObjectIdentifier("2.5.29.31")
  package static let certificatePolicies = ObjectIdentifier("2.5.29.32")
  package static let policyMappings = ObjectIdentifier("2.5.29.33")
  package static let authorityKeyIdentifier = ObjectIdentifier("2.5.29.35")
  package static let policyConstraints = ObjectIdentifier("2.5.29.36")
  package static let extendedKeyUsage = ObjectIdentifier("2.5.29.37")
  package static let inhibitAnyPolicy = ObjectIdentifier("2.5.29.54")
  package static let authorityInfoAccess = ObjectIdentifier("1.3.6.1.5.5.7.1.1")

  package static let crlNumber = ObjectIdentifier("2.5.29.20")
  package static let reasonCode = ObjectIdentifier("2.5.29.21")
  package static let deltaCRLIndicator = ObjectIdentifier("2.5.29.27")
  package static let issuingDistributionPoint = ObjectIdentifier("2.5.29.28")
  package static let certificateIssuer = ObjectIdentifier("2.5.29.29")

  package static let ocsp = ObjectIdentifier("1.3.6.1.5.5.7.48.1")
  package static let caIssuers = ObjectIdentifier("1.3.6.1.5.5.7.48.2")
}
