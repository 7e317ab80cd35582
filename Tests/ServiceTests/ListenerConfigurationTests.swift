import Testing

@testable import Service

/// The problems of a list of listeners.
private func problems(_ listeners: String) -> [String] {
  do {
    _ = try Configuration(
      json5: """
        {listeners: \(listeners), serverCertificate: 'a', serverKeyFile: 'b', database: {url: 'postgresql://localhost/usher'},
        sealingKeyFile: 'c', deviceURL: 'https://a', baseDomain: 'a'}
        """, source: "usher.json")
    return []
  } catch {
    return error.problems.map(\.description)
  }
}

@Suite struct ListenerConfigurationTests {
  @Test(arguments: [
    "[{address: '0.0.0.0', port: 8443, roles: ['device']}, {address: '::', port: 8443, roles: ['device']}]",
    "[{address: '0.0.0.0', port: 8444, roles: ['admin', 'enroll', 'public']}]",
    "[{address: '0.0.0.0', port: 80, roles: ['public']}]",
    "[{address: 'localhost', port: 0, roles: ['ops']}, {address: 'localhost', port: 0, roles: ['ops']}]",
    "[{address: '127.0.0.53', port: 8445, roles: ['ops', 'public']}]",
  ])
  func `what is safe is taken`(listeners: String) {
    #expect(problems(listeners) == [])
  }

  @Test(arguments: [
    (
      "[]",
      "listeners: a list is not allowed; allowed: a list of {address, port, roles}; roles: device, admin, enroll, public, ops"
    ),
    (
      "{}",
      "listeners: an object is not allowed; allowed: a list of {address, port, roles}; roles: device, admin, enroll, public, ops"
    ),
    (
      "[{address: 'example.com', port: 1, roles: ['device']}]",
      "listeners[0].address: is missing or wrong; allowed: an IP address in numbers (0.0.0.0 and :: are all), or localhost"
    ),
    (
      "[{address: '::', port: 70000, roles: ['device']}]",
      "listeners[0].port: is missing or wrong; allowed: a whole number from 0 (any free port) to 65535"
    ),
    (
      "[{address: '::', port: 1}]",
      "listeners[0].roles: is missing or wrong; allowed: a list of device, admin, enroll, public, ops"
    ),
    (
      "[{address: '::', port: 1, roles: ['devices']}]",
      "listeners[0].roles[0]: is missing or wrong; allowed: device, admin, enroll, public, ops"
    ),
    (
      "[{address: '::', port: 1, roles: ['ops', 'ops']}]",
      "listeners[0].roles[1]: is given twice; allowed: each role once"
    ),
    (
      "[{address: '::', port: 1, roles: ['device'], tls: false}]",
      "listeners[0].tls: is no key of a listener; allowed: address, port, roles"
    ),
    (
      "[{address: '::', port: 1, roles: ['admin']}, {address: '::', port: 1, roles: ['public']}]",
      "listeners[1]: listens where listeners[0] does; allowed: another port"
    ),
  ])
  func `what is wrong is named`(listeners: String, problem: String) {
    #expect(problems(listeners) == [problem])
  }

  @Test(arguments: [
    ("device', 'admin", "127.0.0.1", "listeners[0].roles: device asks for a client certificate"),
    ("device', 'public", "127.0.0.1", "listeners[0].roles: device asks for a client certificate"),
    ("ops', 'device", "127.0.0.1", "listeners[0].roles: device asks for a client certificate"),
    ("ops', 'admin", "127.0.0.1", "listeners[0].roles: ops is plain HTTP, admin and enroll are never that"),
    ("enroll', 'ops", "127.0.0.1", "listeners[0].roles: ops is plain HTTP, admin and enroll are never that"),
    (
      "ops", "0.0.0.0",
      "listeners[0].address: ops is plain HTTP without authentication, and 0.0.0.0 is seen by others"
    ),
    ("ops", "::", "listeners[0].address: ops is plain HTTP without authentication, and :: is seen by others"),
    ("ops', 'public", "192.0.2.1", "listeners[0].address: ops is plain HTTP without authentication"),
  ])
  func `roles that are unsafe together, or where they are, are refused`(
    roles: String, address: String, problem: String
  ) {
    let found = problems("[{address: '\(address)', port: 1, roles: ['\(roles)']}]")
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix(problem) == true, "\(found)")
  }

  @Test func `TLS follows from the roles, and needs a certificate and its key`() {
    #expect(ListenerConfiguration(address: "::", port: 1, roles: [.device]).isTLS)
    #expect(ListenerConfiguration(address: "::", port: 1, roles: [.device]).asksForClientCertificate)
    #expect(ListenerConfiguration(address: "::", port: 1, roles: [.public, .enroll]).isTLS)
    #expect(
      !ListenerConfiguration(address: "::", port: 1, roles: [.public, .enroll]).asksForClientCertificate)
    #expect(!ListenerConfiguration(address: "::", port: 1, roles: [.public, .ops]).isTLS)
    let error = #expect(throws: ConfigurationError.self) {
      try Configuration(
        json5: """
          {listeners: [{address: '::', port: 1, roles: ['enroll']}], database: {url: 'postgresql://localhost/usher'},
          sealingKeyFile: 'c', deviceURL: 'https://a', baseDomain: 'a'}
          """, source: "usher.json")
    }
    #expect(
      error?.description == """
        usher.json: 2 problems
          serverCertificate: must be given: a listener speaks TLS; allowed: a path to a PEM file
          serverKeyFile: must be given: a listener speaks TLS; allowed: a path to a PEM file
        """)
  }
}
