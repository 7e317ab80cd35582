// swift-tools-version: 6.2
import PackageDescription

/// One set of settings for every Swift target: the compiler proves what it can.
let settings: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
]

/// A room of the house: its folder is `Sources/<name>`, its arrows are `to` (docs/architecture.md).
func room(_ name: String, to arrows: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: arrows, swiftSettings: settings)
}

func tests(_ name: String, to arrows: [Target.Dependency]) -> Target {
  .testTarget(name: "\(name)Tests", dependencies: arrows, swiftSettings: settings)
}

/// What `scripts/fuzz` links with libFuzzer.
let fuzzing: [Product] =
  Context.environment["USHER_FUZZ"] == nil
  ? [] : [.library(name: "Fuzzing", type: .static, targets: ["Fuzzing"])]

let package = Package(
  name: "usher",
  products: [
    .executable(name: "usher", targets: ["usher"]),
    .library(name: "UsherClient", targets: ["UsherClient"]),
  ] + fuzzing,
  targets: [
    // The outside world in C: the only modules that see its headers.
    .target(
      name: "COpenSSL",
      linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
    .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .target(name: "CLinux"),

    // Parts that know nothing of licenses.
    room("Reactor", to: ["CLinux"]),
    room("Telemetry"),
    room("Cryptography", to: ["COpenSSL"]),
    room("PKIX", to: ["Cryptography", "COpenSSL"]),
    room("TLS", to: ["PKIX", "Cryptography", "COpenSSL"]),
    room("HTTP"),
    room("JSON"),
    room("Server", to: ["Reactor", "TLS", "HTTP", "Telemetry"]),
    room("Postgres", to: ["CPostgres", "Reactor", "Telemetry"]),

    // The domain.
    room("Licensing"),
    room("Audit", to: ["JSON", "Cryptography", "Licensing"]),
    room("Webhooks", to: ["CCurl", "Audit", "JSON", "Cryptography", "Licensing", "Reactor"]),
    room("Issuance", to: ["PKIX", "Cryptography", "Licensing"]),
    room("Directory", to: ["Issuance", "TLS", "PKIX", "Cryptography", "Licensing", "Reactor", "Telemetry"]),

    // Storage and surfaces.
    .target(
      name: "Database", path: "db", exclude: ["schema.sql"],
      resources: [.embedInCode("migrations")], swiftSettings: settings),
    room("Store", to: ["Licensing", "Issuance", "Audit", "Postgres", "Database", "JSON", "Telemetry"]),
    room(
      "API",
      to: [
        "HTTP", "JSON", "Licensing", "Issuance", "Audit", "Webhooks", "Directory", "PKIX", "Cryptography",
        "TLS",
        "Telemetry",
      ]),
    room(
      "Service",
      to: [
        "API", "Store", "Directory", "Server", "Postgres", "Issuance", "Audit", "Webhooks", "Licensing",
        "Reactor",
        "TLS", "PKIX", "Cryptography", "HTTP", "JSON", "Database", "Telemetry",
      ]),
    room("LocalCluster", to: ["Reactor", "Telemetry"]),
    room(
      "UsherClient", to: ["TLS", "HTTP", "JSON", "Reactor", "PKIX", "Cryptography"]),
    room("LoadTest", to: ["UsherClient", "TLS", "JSON", "Reactor", "PKIX", "Cryptography"]),
    room(
      "UsherCommand",
      to: [
        "Service", "LocalCluster", "LoadTest", "UsherClient", "Audit", "Telemetry", "Reactor", "Cryptography",
        "PKIX", "JSON", "Licensing",
      ]),
    .executableTarget(name: "usher", dependencies: ["UsherCommand"], swiftSettings: settings),

    // Tests.
    .target(
      name: "Fixtures",
      dependencies: [
        "TLS", "PKIX", "Cryptography", "LocalCluster", "Postgres", "Reactor", "Licensing", "Telemetry",
        "CLinux", "JSON",
      ],
      path: "Tests/Fixtures", swiftSettings: settings),
    .target(
      name: "Fuzzing", dependencies: ["HTTP", "PKIX", "Cryptography", "Directory", "Issuance", "Licensing"],
      path: "Fuzz", exclude: ["Corpora"], swiftSettings: settings),
    tests("Fuzzing", to: ["Fuzzing", "Fixtures"]),
    tests("Reactor", to: ["Reactor"]),
    tests("Telemetry", to: ["Telemetry"]),
    tests("Cryptography", to: ["Cryptography", "Fixtures"]),
    tests("PKIX", to: ["PKIX", "Cryptography", "Fixtures"]),
    tests("TLS", to: ["TLS", "PKIX", "Cryptography", "Fixtures"]),
    tests("HTTP", to: ["HTTP", "Cryptography"]),
    tests("JSON", to: ["JSON"]),
    tests(
      "Server",
      to: ["Server", "Reactor", "TLS", "PKIX", "Cryptography", "HTTP", "Telemetry", "Fixtures"]),
    tests("Postgres", to: ["Postgres", "Reactor", "LocalCluster", "Telemetry", "Fixtures"]),
    tests("Licensing", to: ["Licensing"]),
    tests("Webhooks", to: ["Webhooks", "Audit", "JSON", "Cryptography", "Licensing", "Reactor"]),
    tests("Audit", to: ["Audit", "JSON", "Cryptography", "Licensing"]),
    tests("Issuance", to: ["Issuance", "PKIX", "Cryptography", "Licensing", "Fixtures"]),
    tests(
      "Directory",
      to: ["Directory", "Issuance", "TLS", "PKIX", "Cryptography", "Licensing", "Reactor", "Fixtures"]),
    tests("Database", to: ["Database"]),
    tests(
      "Store",
      to: [
        "Store", "Licensing", "Issuance", "Audit", "Webhooks", "Directory", "PKIX", "JSON", "Cryptography",
        "Postgres", "Database", "LocalCluster", "Reactor", "Fixtures",
      ]),
    tests(
      "API",
      to: [
        "API", "HTTP", "JSON", "Licensing", "Issuance", "Webhooks", "Directory", "PKIX", "Cryptography",
        "Reactor",
        "Telemetry", "Postgres", "Store", "Fixtures",
      ]),
    tests("Service", to: ["Service", "Telemetry"]),
    tests("LocalCluster", to: ["LocalCluster", "Postgres", "Reactor", "Telemetry", "Fixtures"]),
    tests(
      "UsherClient", to: ["UsherClient", "TLS", "HTTP", "PKIX", "Cryptography", "Fixtures"]),
    tests("LoadTest", to: ["LoadTest", "TLS", "PKIX", "Cryptography", "Reactor", "Fixtures"]),
    tests(
      "UsherCommand", to: ["UsherCommand", "UsherClient", "TLS", "PKIX", "Cryptography", "JSON", "Fixtures"]),
    tests("Architecture", to: []),
    tests(
      "Integration", to: ["usher", "UsherClient", "Fixtures", "Reactor", "PKIX", "TLS", "Cryptography"]),
  ],
  swiftLanguageModes: [.v6]
)
