public import Telemetry

extension PostgresConfiguration {
  /// Reads `postgres://user@host1:5432,host2/database?host=/socket/folder&target_session_attrs=read-write` (PostgreSQL
  /// manual, §34.1.1.2). A password comes from a file, never from the URL, which ends up in logs and process lists.
  public init(url: String, password: Secret? = nil) throws(ConnectionURLError) {
    guard let scheme = ["postgres://", "postgresql://"].first(where: { url.hasPrefix($0) }) else {
      throw ConnectionURLError("a database URL begins with postgres://")
    }
    let (beforeQuery, query) = url.dropFirst(scheme.count).splitOnce(at: "?")
    let (authority, path) = beforeQuery.splitOnce(at: "/")
    let (userInfo, hostList) = authority.splitLast(at: "@")

    var user: String?
    if let userInfo, !userInfo.isEmpty {
      guard !userInfo.contains(":") else {
        throw ConnectionURLError("a database URL holds no password: put it into a file and name that")
      }
      user = try Self.decode(userInfo)
    }
    var names: [(name: String, port: String?)] = []
    for host in hostList.split(separator: ",") { names.append(try Self.host(host)) }

    self.init(hosts: [], user: user, database: nil, password: password)
    if let path, !path.isEmpty { database = try Self.decode(path) }

    var ports: [String]?
    for pair in query?.split(separator: "&") ?? [] {
      let (key, rawValue) = pair.splitOnce(at: "=")
      let value = try Self.decode(rawValue ?? "")
      switch key {
      case "host": names = value.split(separator: ",").map { (String($0), nil) }
      case "port": ports = value.split(separator: ",").map(String.init)
      case "user": self.user = value
      case "dbname": database = value
      case "application_name": applicationName = value
      case "connect_timeout":
        guard let seconds = Int64(value), seconds > 0 else {
          throw ConnectionURLError("connect_timeout is a number of seconds")
        }
        connectTimeout = .seconds(seconds)
      case "target_session_attrs":
        guard let session = TargetSession(rawValue: value) else {
          let allowed = TargetSession.allCases.map(\.rawValue).joined(separator: ", ")
          throw ConnectionURLError("target_session_attrs is one of \(allowed)")
        }
        targetSession = session
      case "sslmode", "sslrootcert", "sslcert", "sslkey", "sslcrl", "ssl_min_protocol_version":
        tlsOptions[String(key)] = value
      case "password":
        throw ConnectionURLError("a database URL holds no password: put it into a file and name that")
      default:
        throw ConnectionURLError(
          """
          unknown option in the database URL; it may have host, port, user, dbname, application_name, \
          connect_timeout, target_session_attrs, sslmode, sslrootcert, sslcert, sslkey, sslcrl, ssl_min_protocol_version
          """)
      }
    }
    guard !names.isEmpty else { throw ConnectionURLError("the database URL names no host") }
    if let ports, ports.count != 1, ports.count != names.count {
      throw ConnectionURLError("the database URL gives \(ports.count) ports for \(names.count) hosts")
    }
    for (index, host) in names.enumerated() {
      let text = host.port ?? ports.map { $0.count == 1 ? $0[0] : $0[index] } ?? "5432"
      guard let port = UInt16(text), port > 0 else {
        throw ConnectionURLError("a port of the database URL is no number from 1 to 65535")
      }
      hosts.append(Host(name: host.name, port: port))
    }
  }

  private static func host(_ text: Substring) throws(ConnectionURLError) -> (name: String, port: String?) {
    if text.hasPrefix("[") {
      let (address, rest) = text.dropFirst().splitOnce(at: "]")
      guard let rest, rest.isEmpty || rest.hasPrefix(":") else {
        throw ConnectionURLError("an IPv6 address of the database URL is written [::1] or [::1]:5432")
      }
      return (String(address), rest.isEmpty ? nil : String(rest.dropFirst()))
    }
    let (name, port) = text.splitOnce(at: ":")
    return (try decode(name), port.map(String.init))
  }

  private static func decode(_ text: Substring) throws(ConnectionURLError) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(hexDigit), let low = rest.popFirst().flatMap(hexDigit) else {
        throw ConnectionURLError("a % of the database URL is not followed by two hexadecimal digits")
      }
      bytes.append(high << 4 | low)
    }
    guard let decoded = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
      throw ConnectionURLError("a part of the database URL is not UTF-8")
    }
    return decoded
  }

  private static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case _: nil
    }
  }
}

extension Substring {
  fileprivate func splitOnce(at separator: Character) -> (Substring, Substring?) {
    guard let index = firstIndex(of: separator) else { return (self, nil) }
    return (self[..<index], self[self.index(after: index)...])
  }

  fileprivate func splitLast(at separator: Character) -> (Substring?, Substring) {
    guard let index = lastIndex(of: separator) else { return (nil, self) }
    return (self[..<index], self[self.index(after: index)...])
  }
}
