import Telemetry
import Testing

@testable import Service

/// The least that must be said, to which a test adds.
private func minimal(_ rest: String = "") -> String {
  """
  // Comments, trailing commas and bare keys are fine.
  {
    listeners: [{address: '127.0.0.1', port: 8443, roles: ['device']}],
    serverCertificate: 'server.pem', serverKeyFile: '/etc/usher/server.key',
    database: {url: 'postgresql://usher@localhost/usher'},
    sealingKeyFile: 'sealing.key',
    deviceURL: 'https://licenses.example.com',
    baseDomain: 'licenses.example.com',
    \(rest)
  }
  """
}

/// What is wrong with a text, as one line for each problem.
private func problems(
  _ text: String, _ environment: [String: String] = [:], sourceLocation: SourceLocation = #_sourceLocation
) -> [String] {
  let error = #expect(throws: ConfigurationError.self, sourceLocation: sourceLocation) {
    try Configuration(json5: text, source: "usher.json", environment: environment)
  }
  return error?.problems.map(\.description) ?? []
}

@Suite struct ConfigurationTests {
  @Test func `a short file gets the defaults of the contract`() throws {
    let configuration = try Configuration(json5: minimal(), source: "usher.json", folder: "/etc/usher")
    #expect(configuration.serverCertificate == "/etc/usher/server.pem")
    #expect(configuration.serverKeyFile == "/etc/usher/server.key")
    #expect(configuration.sealingKeyFile == "/etc/usher/sealing.key")
    #expect(configuration.publicURL == nil)
    #expect(configuration.stale == .seconds(60))
    #expect(configuration.refusals == .tell)
    #expect(configuration.timeouts.handshake == .seconds(10))
    #expect(configuration.timeouts.header == .seconds(10))
    #expect(configuration.timeouts.body == .seconds(30))
    #expect(configuration.timeouts.write == .seconds(30))
    #expect(configuration.timeouts.idle == .seconds(300))
    #expect(configuration.limits.requestLineBytes == 8192)
    #expect(configuration.limits.headerBytes == 16_384)
    #expect(configuration.limits.headerCount == 100)
    #expect(configuration.limits.bodyBytes == 65_536)
    #expect(configuration.log.level == .info)
  }

  @Test func `every key can be set in the file`() throws {
    let configuration = try Configuration(
      json5: minimal(
        """
        publicURL: 'http://pki.example.com:8080/', staleSeconds: 0, refusals: 'alert',
        timeouts: {handshakeSeconds: 1, headerSeconds: 2, bodySeconds: 3, writeSeconds: 4, idleSeconds: 5, drainSeconds: 6},
        limits: {requestLineBytes: 4096, headerBytes: 8192, headerCount: 50, bodyBytes: 0x8000, connections: 7},
        log: {level: 'debug', format: 'json'},
        """), source: "usher.json")
    #expect(configuration.publicURL == "http://pki.example.com:8080")
    #expect(configuration.stale == .zero)
    #expect(configuration.refusals == .alert)
    #expect(configuration.timeouts.drain == .seconds(6))
    #expect(configuration.limits.bodyBytes == 32_768)
    #expect(configuration.limits.connections == 7)
    #expect(configuration.log.format == .json)
  }

  @Test func `the environment overrides every key`() throws {
    let configuration = try Configuration(
      json5: minimal("database: {url: 'postgresql://localhost/other', passwordFile: 'p'}").replacing(
        "database: {url: 'postgresql://usher@localhost/usher'},", with: ""),
      source: "usher.json", folder: "/etc/usher",
      environment: [
        "USHER_LISTENERS": "[{address: '::1', port: 0, roles: ['ops', 'public']}]",
        "USHER_SERVER_CERTIFICATE": "relative.pem",
        "USHER_DATABASE_URL": "postgres://db1,db2/usher?target_session_attrs=read-write",
        "USHER_DATABASE_PASSWORD_FILE": "/run/secrets/db",
        "USHER_PUBLIC_URL": "https://[::1]:8444",
        "USHER_DEVICE_URL": "https://device.example.com:8443",
        "USHER_BASE_DOMAIN": "usher.localhost",
        "USHER_STALE_SECONDS": "30",
        "USHER_REFUSALS": "alert",
        "USHER_TIMEOUTS_IDLE_SECONDS": "60",
        "USHER_LIMITS_REQUEST_LINE_BYTES": "2048",
        "USHER_LOG_LEVEL": "warning",
        "PATH": "/bin",
      ])
    #expect(
      configuration.listeners == [ListenerConfiguration(address: "::1", port: 0, roles: [.ops, .public])])
    #expect(configuration.serverCertificate == "relative.pem")
    #expect(configuration.database.url == "postgres://db1,db2/usher?target_session_attrs=read-write")
    #expect(configuration.database.passwordFile == "/run/secrets/db")
    #expect(configuration.publicURL == "https://[::1]:8444")
    #expect(configuration.baseDomain == "usher.localhost")
    #expect(configuration.stale == .seconds(30))
    #expect(configuration.refusals == .alert)
    #expect(configuration.timeouts.idle == .seconds(60))
    #expect(configuration.limits.requestLineBytes == 2048)
    #expect(configuration.log.level == .warning)
  }

  @Test func `variables are named after keys`() {
    let names = Dictionary(uniqueKeysWithValues: ConfigurationKey.all.map { ($0.path, $0.variable) })
    #expect(names["publicURL"] == "USHER_PUBLIC_URL")
    #expect(names["sealingKeyFile"] == "USHER_SEALING_KEY_FILE")
    #expect(names["timeouts.handshakeSeconds"] == "USHER_TIMEOUTS_HANDSHAKE_SECONDS")
  }

  @Test func `an unknown variable stops the start, unless it is Kubernetes' or the tests'`() {
    #expect(
      problems(minimal(), ["USHER_DATABSE_URL": "x"])[0].hasPrefix(
        "USHER_DATABSE_URL: there is no such variable"))
    #expect(throws: Never.self) {
      try Configuration(
        json5: minimal(), source: "usher.json",
        environment: [
          "USHER_SERVICE_HOST": "10.0.0.1", "USHER_PORT": "tcp://10.0.0.1:8443",
          "USHER_PORT_8443_TCP_ADDR": "10.0.0.1", "USHER_TEST_DATA": "/data", "USHERS": "x",
        ])
    }
  }

  @Test(arguments: [
    (
      "stalSeconds: 1",
      "stalSeconds: there is no such key; allowed: baseDomain, database, deviceURL, eventDays, limits, listeners, log, pkcs11, previousSealingKeyFile, publicURL, refusals, sealingKeyFile, serverCertificate, serverKeyFile, staleSeconds, timeouts, webhooks"
    ),
    (
      "timeouts: {idle: 1}",
      "timeouts.idle: there is no such key; allowed: timeouts.bodySeconds, timeouts.drainSeconds, timeouts.handshakeSeconds, timeouts.headerSeconds, timeouts.idleSeconds, timeouts.writeSeconds"
    ),
    ("timeouts: 1", "timeouts: 1 is not allowed; allowed: an object"),
    ("staleSeconds: -1", "staleSeconds: -1 is not allowed; allowed: a whole number from 0 to 3600"),
    ("staleSeconds: 1.5", "staleSeconds: 1.5 is not allowed; allowed: a whole number from 0 to 3600"),
    ("staleSeconds: '60'", "staleSeconds: \"60\" is not allowed; allowed: a whole number from 0 to 3600"),
    ("staleSeconds: null", "staleSeconds: null is not allowed; allowed: a whole number from 0 to 3600"),
    ("staleSeconds: true", "staleSeconds: true is not allowed; allowed: a whole number from 0 to 3600"),
    ("refusals: 'shout'", "refusals: \"shout\" is not allowed; allowed: tell, alert"),
    ("log: {level: 'all'}", "log.level: \"all\" is not allowed; allowed: debug, info, warning, error"),
    (
      "publicURL: 'http://a/b'",
      "publicURL: \"http://a/b\" is not allowed; allowed: http://host[:port] or https://host[:port]"
    ),
    (
      "publicURL: 'http://a:0'",
      "publicURL: \"http://a:0\" is not allowed; allowed: http://host[:port] or https://host[:port]"
    ),
    (
      "publicURL: 'http://u@a'",
      "publicURL: \"http://u@a\" is not allowed; allowed: http://host[:port] or https://host[:port]"
    ),
  ])
  func `a bad value is named with what is allowed`(line: String, problem: String) {
    #expect(problems(minimal(line)) == [problem])
  }

  @Test(arguments: [
    ("deviceURL", "http://a"), ("deviceURL", ""), ("baseDomain", "Example.com"), ("baseDomain", "a..b"),
    ("baseDomain", "-a.b"), ("baseDomain", ""), ("sealingKeyFile", ""), ("sealingKeyFile", "/etc/"),
  ])
  func `texts have a form`(key: String, value: String) throws {
    let variable = try #require(ConfigurationKey.all.first { $0.path == key }).variable
    #expect(problems(minimal(), [variable: value])[0].hasPrefix("\(variable): \"\(value)\" is not allowed"))
  }

  @Test(arguments: [
    "postgresql://usher:hunter2@localhost/usher", "postgres://u:hunter2@a,b/usher",
    "postgresql://localhost/usher?password=hunter2", "postgresql://a/usher?sslmode=require&password=hunter2",
  ])
  func `a password in the URL is refused and not repeated`(url: String) {
    let found = problems(minimal(), ["USHER_DATABASE_URL": url])
    #expect(
      found == [
        "USHER_DATABASE_URL: a database URL holds no password: put it into a file and name that; allowed: postgresql://[user@]host[:port][,…]/database[?…]"
      ])
  }

  @Test(arguments: [
    "postgresql://usher@[::1]:5432/usher", "postgresql:///usher?host=/run/postgresql",
    "postgresql://a:1,b:2/usher?target_session_attrs=read-write", "postgresql://a@b:5432/x",
  ])
  func `a URL without one is taken`(url: String) throws {
    let configuration = try Configuration(
      json5: minimal(), source: "usher.json", environment: ["USHER_DATABASE_URL": url])
    #expect(configuration.database.url == url)
  }

  @Test func `everything that is wrong is told at once`() {
    #expect(
      problems("{refusals: 'shout', database: {}}").map { $0.prefix { $0 != ":" } }
        == ["listeners", "database.url", "sealingKeyFile", "deviceURL", "baseDomain", "refusals"])
  }

  @Test(arguments: [
    ("{a: 1", "line 1: this is not JSON5: a comma or } was expected"),
    ("{\n  a: 1\n  b: 2\n}", "line 3: this is not JSON5: a comma or } was expected"),
    ("{\n  /* :\n{ */ // :\n a: [1 2]}", "line 4: this is not JSON5: a comma or ] was expected"),
    ("{a 1}", "line 1: this is not JSON5: a colon after a was expected"),
    ("{a: }", "line 1: this is not JSON5: a value was expected"),
    ("", "line 1: this is not JSON5: a value was expected"),
    ("{} {}", "line 1: this is not JSON5: the end was expected"),
    ("{a: 1-}", "this is not JSON5"),
    ("[]", "it is not an object; allowed: { key: value, … }"),
    ("{staleSeconds: 1, staleSeconds: 1}", "staleSeconds: the key is given twice"),
    ("{timeouts: {a: 1, 'a': 2}}", "timeouts.a: the key is given twice"),
    ("{timeouts: {}, x: [{}, {a: 1, \"\\u0061\": 2}]}", "x[1].a: the key is given twice"),
  ])
  func `what is not JSON5 is said with its line, and no key counts twice`(text: String, problem: String) {
    #expect(problems(text).first == problem)
  }

  @Test func `a file that cannot be read is named`() {
    let error = #expect(throws: ConfigurationError.self) {
      try Configuration(file: "/nonexistent/usher.json", environment: [:])
    }
    #expect(error?.description == "/nonexistent/usher.json: it cannot be read")
  }

  @Test func `the effective configuration reads back as itself`() throws {
    var configuration = try Configuration(json5: minimal(), source: "usher.json", folder: "/etc/usher")
    configuration.listeners.append(
      ListenerConfiguration(address: "::1", port: 8445, roles: [.public, .ops]))
    configuration.database.passwordFile = "/etc/usher/\"pass\\word\"\u{1}"
    configuration.timeouts.idle = .seconds(7)
    let text = configuration.rendered()
    #expect(try Configuration(json5: text, source: "usher.json") == configuration)
    #expect(
      text.hasPrefix(
        """
        {
          "listeners": [
            {"address": "127.0.0.1", "port": 8443, "roles": ["device"]},
            {"address": "::1", "port": 8445, "roles": ["public", "ops"]}
          ],
          "serverCertificate": "/etc/usher/server.pem",
        """))
  }
}
