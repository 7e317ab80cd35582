internal import JSON
internal import UsherClient

/// How an admin's commands reach a server: what `usher login` keeps.
struct Profile: Sendable, Equatable {
  /// `https://host[:port]` of the admin listener.
  var server: String
  /// The CA of the server's certificate, PEM; nil: those that the system trusts.
  var authorityPEM: String?
  var token: String
  /// The slug of the organization that the token is of; nil: an operator's.
  var organization: String?

  /// Where Debian, Ubuntu and their kin keep the CAs that the system trusts.
  static let systemAuthorities = "/etc/ssl/certs/ca-certificates.crt"

  func administrator(timeout: Duration = .seconds(30)) throws(ClientError) -> Administrator {
    try Administrator(
      server: server, authorityPEM: try Self.authorities(authorityPEM), token: token, timeout: timeout)
  }

  static func authorities(_ pem: String?) throws(ClientError) -> [UInt8] {
    if let pem { return Array(pem.utf8) }
    return try LocalFile.read(systemAuthorities)
  }
}

extension Profile {
  init?(json bytes: [UInt8]) {
    guard let document = try? JSONValue(parsing: bytes), case .string(let server) = document["server"],
      case .string(let token) = document["token"]
    else { return nil }
    (self.server, self.token) = (server, token)
    if case .string(let pem) = document["ca"] { authorityPEM = pem }
    if case .string(let slug) = document["organization"] { organization = slug }
  }

  var json: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("server", server)
      if let organization { writer.member("organization", organization) }
      writer.member("token", token)
      if let authorityPEM { writer.member("ca", authorityPEM) }
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }
}
