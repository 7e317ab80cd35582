internal import Reactor

extension ConfigurationKey {
  static func listeners(
    _ path: String, _ property: Property<[ListenerConfiguration]>, _ meaning: String
  ) -> ConfigurationKey {
    let roles = words(for: ListenerRole.self)
    let allowed = "a list of {address, port, roles}; roles: \(roles)"
    return ConfigurationKey(
      path: path, allowed: allowed, meaning: meaning, isRequired: true, notation: .json5,
      assign: { value, _, configuration throws(ConfigurationFault) in
        guard case .array(let elements) = value, !elements.isEmpty else { throw ConfigurationFault() }
        var listeners: [ListenerConfiguration] = []
        for (index, element) in elements.enumerated() {
          let listener: ListenerConfiguration
          do throws(ConfigurationFault) {
            listener = try ListenerConfiguration(element)
          } catch {
            throw ConfigurationFault(
              place: "[\(index)]\(error.place)", detail: error.detail, allowed: error.allowed)
          }
          if let twin = listeners.firstIndex(where: { $0.collides(with: listener) }) {
            throw ConfigurationFault(
              place: "[\(index)]", detail: "listens where listeners[\(twin)] does", allowed: "another port")
          }
          listeners.append(listener)
        }
        configuration[keyPath: property] = listeners
      },
      render: { .array($0[keyPath: property].map(\.value)) })
  }
}

extension ListenerConfiguration {
  fileprivate init(_ value: ConfigurationValue) throws(ConfigurationFault) {
    let keys = ["address", "port", "roles"]
    guard case .object(let members) = value else { throw ConfigurationFault() }
    for member in members where !keys.contains(member.key) {
      throw ConfigurationFault(
        place: ".\(member.key)", detail: "is no key of a listener", allowed: keys.joined(separator: ", "))
    }
    guard case .text(let address) = value["address"],
      address == "localhost" || SocketAddress(address, port: 0) != nil
    else {
      throw ConfigurationFault(
        place: ".address", allowed: "an IP address in numbers (0.0.0.0 and :: are all), or localhost")
    }
    guard case .integer(let number) = value["port"], let port = UInt16(exactly: number) else {
      throw ConfigurationFault(place: ".port", allowed: "a whole number from 0 (any free port) to 65535")
    }
    self.init(address: address, port: port, roles: try Self.roles(value["roles"]))
    try checkRoles()
  }

  private static func roles(_ value: ConfigurationValue?) throws(ConfigurationFault) -> Set<ListenerRole> {
    let allowed = "a list of \(ConfigurationKey.words(for: ListenerRole.self))"
    guard case .array(let names) = value, !names.isEmpty else {
      throw ConfigurationFault(place: ".roles", allowed: allowed)
    }
    var roles: Set<ListenerRole> = []
    for (index, name) in names.enumerated() {
      guard case .text(let text) = name, let role = ListenerRole(rawValue: text) else {
        throw ConfigurationFault(
          place: ".roles[\(index)]", allowed: ConfigurationKey.words(for: ListenerRole.self))
      }
      guard roles.insert(role).inserted else {
        throw ConfigurationFault(
          place: ".roles[\(index)]", detail: "is given twice", allowed: "each role once")
      }
    }
    return roles
  }

  /// What one socket cannot be at once.
  private func checkRoles() throws(ConfigurationFault) {
    if roles.contains(.device), roles.count > 1 {
      throw ConfigurationFault(
        place: ".roles", detail: "device asks for a client certificate, which the other roles must not do",
        allowed: "device alone, the others on another listener")
    }
    if roles.contains(.ops), isTLS {
      throw ConfigurationFault(
        place: ".roles", detail: "ops is plain HTTP, admin and enroll are never that",
        allowed: "ops alone or with public")
    }
    if roles.contains(.ops), !isLoopback {
      throw ConfigurationFault(
        place: ".address",
        detail: "ops is plain HTTP without authentication, and \(address) is seen by others",
        allowed: "127.0.0.1, ::1 or localhost")
    }
  }

  private var isLoopback: Bool {
    guard address != "localhost" else { return true }
    guard let host = SocketAddress(address, port: 0)?.host else { return false }
    return host.hasPrefix("127.") || host == "::1"
  }

  fileprivate func collides(with other: ListenerConfiguration) -> Bool {
    port == other.port && port != 0 && address == other.address
  }

  fileprivate var value: ConfigurationValue {
    .object([
      .init(key: "address", value: .text(address)),
      .init(key: "port", value: .integer(Int64(port))),
      .init(
        key: "roles",
        value: .array(ListenerRole.allCases.filter(roles.contains).map { .text($0.rawValue) })),
    ])
  }
}
