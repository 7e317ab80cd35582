import Testing

@testable import Postgres

@Suite struct ConnectionURLTests {
  @Test(arguments: [
    ("postgres://u@h/d", "u", "d", [PostgresConfiguration.Host(name: "h")]),
    ("postgresql://h", nil, nil, [.init(name: "h")]),
    ("postgres://u@h1:6000,h2/d", "u", "d", [.init(name: "h1", port: 6000), .init(name: "h2")]),
    (
      "postgres://[::1]:6000,[fe80::2]/d", nil, "d", [.init(name: "::1", port: 6000), .init(name: "fe80::2")]
    ),
    ("postgres://u@/d?host=/run/pg", "u", "d", [.init(name: "/run/pg")]),
    ("postgres://%2Frun%2Fpg/d", nil, "d", [.init(name: "/run/pg")]),
    (
      "postgres:///?host=a,b&port=1,2&user=x%40y&dbname=z", "x@y", "z",
      [.init(name: "a", port: 1), .init(name: "b", port: 2)]
    ),
    ("postgres:///?host=a,b&port=7", nil, nil, [.init(name: "a", port: 7), .init(name: "b", port: 7)]),
  ])
  func `a URL names hosts, user and database`(
    url: String, user: String?, database: String?, hosts: [PostgresConfiguration.Host]
  ) throws {
    let configuration = try PostgresConfiguration(url: url)
    #expect(configuration.user == user)
    #expect(configuration.database == database)
    #expect(configuration.hosts == hosts)
    #expect(configuration.targetSession == .readWrite)
  }

  @Test func `options become settings`() throws {
    let configuration = try PostgresConfiguration(
      url: "postgres://h/d?target_session_attrs=any&sslmode=verify-full&application_name=a&connect_timeout=7")
    #expect(configuration.targetSession == .any)
    #expect(configuration.tlsOptions == ["sslmode": "verify-full"])
    #expect(configuration.applicationName == "a")
    #expect(configuration.connectTimeout == .seconds(7))
  }

  @Test(arguments: [
    ("mysql://h", "begins with postgres://"), ("postgres://u:secret@h/d", "no password"),
    ("postgres://h?password=secret", "no password"), ("postgres:///d", "names no host"),
    ("postgres://h:99999", "port"), ("postgres://h:0", "port"), ("postgres://h:x", "port"),
    ("postgres://h?sslmod=x", "unknown option"),
    ("postgres://h?target_session_attrs=standby", "any, read-write, primary"),
    ("postgres://a,b?port=1,2,3", "3 ports for 2 hosts"), ("postgres://%ZZ", "hexadecimal"),
    ("postgres://%FF", "UTF-8"),
    ("postgres://[::1", "IPv6"), ("postgres://h?connect_timeout=soon", "seconds"),
  ])
  func `a wrong URL is refused without being repeated`(url: String, reason: String) throws {
    let error = try #require(throws: ConnectionURLError.self) { try PostgresConfiguration(url: url) }
    #expect(error.description.contains(reason))
    #expect(!error.description.contains("secret"))
  }
}
