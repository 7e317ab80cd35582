internal import JSON
internal import LoadTest
internal import PKIX
internal import UsherClient

/// The installation that `usher bench` works on, as its arguments name it.
struct BenchSite: Sendable {
  let adminURL, deviceURL: String
  let authorityPEM: [UInt8]
  let token: String

  /// What `usher dev` left in its folder; `overrides` are arguments that were given besides.
  init(
    data: String, adminURL: String?, deviceURL: String?, authorityFile: String?, tokenFile: String?
  ) throws(CommandFailure) {
    // Only what was not given is read from the folder, so that a remote installation needs none.
    let known = adminURL == nil || deviceURL == nil ? try Self.configuration(data) : .null
    if let adminURL { self.adminURL = adminURL } else { self.adminURL = try Self.adminURL(in: known, data) }
    if let deviceURL {
      self.deviceURL = deviceURL
    } else {
      self.deviceURL = try Self.text(known["deviceURL"], "deviceURL", data)
    }
    authorityPEM = try InputFile.read(authorityFile ?? "\(data)/server-ca.pem")
    let text = String(decoding: try InputFile.read(tokenFile ?? "\(data)/operator.token"), as: UTF8.self)
    token = text.last == "\n" ? String(text.dropLast()) : text
  }

  /// So many connections of an operator.
  func administrators(_ count: Int) throws(CommandFailure) -> [Administrator] {
    do {
      return try (0..<count).map { _ in
        try Administrator(server: adminURL, authorityPEM: authorityPEM, token: token)
      }
    } catch { throw CommandFailure(error as? ClientError ?? .unusable("\(error)")) }
  }

  private static func configuration(_ data: String) throws(CommandFailure) -> JSONValue {
    do { return try JSONValue(parsing: try InputFile.read("\(data)/usher.json")) } catch {
      throw CommandFailure(
        "\(data) is no folder of a running usher dev; start one, or give --admin-url, --device-url, --ca and "
          + "--token-file")
    }
  }

  private static func adminURL(in configuration: JSONValue, _ data: String) throws(CommandFailure) -> String {
    guard case .array(let listeners)? = configuration["listeners"] else {
      throw CommandFailure("\(data)/usher.json has no listeners")
    }
    for listener in listeners {
      if case .array(let roles)? = listener["roles"], roles.contains(.string("admin")),
        case .integer(let port)? = listener["port"]
      {
        return "https://localhost:\(port)"
      }
    }
    throw CommandFailure("\(data)/usher.json has no listener with the role admin")
  }

  private static func text(
    _ value: JSONValue?, _ name: String, _ data: String
  ) throws(CommandFailure) -> String {
    guard case .string(let text)? = value else { throw CommandFailure("\(data)/usher.json has no \(name)") }
    return text
  }
}
