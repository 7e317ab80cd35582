extension ConfigurationKey {
  /// Every setting, in the order of the documentation.
  static let all: [ConfigurationKey] = [
    .listeners("listeners", \.listeners, "Where the server listens, and what it is there"),
    .text(
      "serverCertificate", \.serverCertificate, .file, "PEM: the server's certificate, then its intermediates"
    ),
    .text("serverKeyFile", \.serverKeyFile, .file, "PEM: the server's private key"),
    .text("database.url", \.database.url, .database, "The database, PostgreSQL 15 or newer"),
    .text("database.passwordFile", \.database.passwordFile, .file, "The database user's password"),
    .text(
      "sealingKeyFile", \.sealingKeyFile, .file,
      "The 32 bytes, in hexadecimal or base64, under which CA keys are sealed: `openssl rand -hex 32`"),
    .text(
      "previousSealingKeyFile", \.previousSealingKeyFile, .file,
      "The key before it, as long as `usher rekey` has not sealed everything anew"),
    .text("pkcs11.module", \.token.module, .file, "The module of the PKCS#11 token that holds CA keys"),
    .text("pkcs11.pinFile", \.token.pinFile, .file, "The token's PIN"),
    .text(
      "publicURL", \.publicURL, .base("http", "https"),
      "The base of the addresses in certificates: CA certificates, CRLs, OCSP"),
    .text("deviceURL", \.deviceURL, .base("https"), "Where devices reach the `device` surface"),
    .text(
      "baseDomain", \.baseDomain, .domain, "Identities are `spiffe://<organization>.<baseDomain>/<identity>`"),
    .seconds(
      "staleSeconds", \.stale, in: 0...3600,
      "How long held seats are answered from memory without the database"),
    .choice(
      "refusals", \.refusals,
      "A certificate that is no longer good is told why, or gets a TLS alert (a newcomer waits for the database)"
    ),
    .integer("eventDays", \.eventDays, in: 0...36_500, "How long the audit trail keeps events; 0: for good"),
    .choice(
      "webhooks.addresses", \.webhooks.addresses,
      "Where webhooks may lead: `public`: only to the open internet by HTTPS, `any`: also into one's own network"
    ),
    .text(
      "webhooks.caFile", \.webhooks.authorities, .file, "PEM: the CAs of receivers, instead of the system's"),

    .seconds("timeouts.handshakeSeconds", \.timeouts.handshake, in: 1...300, "For the TLS handshake"),
    .seconds("timeouts.headerSeconds", \.timeouts.header, in: 1...300, "For the header of a request"),
    .seconds("timeouts.bodySeconds", \.timeouts.body, in: 1...3600, "For the body of a request"),
    .seconds("timeouts.writeSeconds", \.timeouts.write, in: 1...3600, "For the client to take an answer"),
    .seconds("timeouts.idleSeconds", \.timeouts.idle, in: 1...86_400, "Between two requests of a connection"),
    .seconds(
      "timeouts.drainSeconds", \.timeouts.drain, in: 0...3600, "For what is in flight when the server stops"),

    .integer("limits.requestLineBytes", \.limits.requestLineBytes, in: 1024...65_536, "Longer: 414"),
    .integer(
      "limits.headerBytes", \.limits.headerBytes, in: 4096...1_048_576, "All header fields; more: 431"),
    .integer("limits.headerCount", \.limits.headerCount, in: 16...1000, "More header fields: 431"),
    .integer("limits.bodyBytes", \.limits.bodyBytes, in: 16_384...16_777_216, "Larger: 413"),
    .integer("limits.connections", \.limits.connections, in: 1...1_000_000, "Open at once; more are closed"),

    .choice("log.level", \.log.level, "The lowest level that is written to standard error"),
    .choice("log.format", \.log.format, "logfmt for people, JSON for collectors"),
  ]
}
