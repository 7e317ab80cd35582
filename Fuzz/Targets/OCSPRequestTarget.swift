import PKIX

/// What is read of a question is within its bounds.
enum OCSPRequestTarget {
  static func run(_ bytes: [UInt8]) {
    guard let request = OCSPRequest(der: bytes) else { return }
    precondition((1...OCSPRequest.mostCertificates).contains(request.certificates.count))
    precondition(request.nonce.map { (1...128).contains($0.count) } ?? true)
  }
}
