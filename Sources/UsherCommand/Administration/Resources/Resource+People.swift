internal import UsherClient

/// Whom certificates speak for, and how they get one.
extension Resource {
  private static let organization = "/v1/organizations/{org}"
  private static let identityPath = "\(organization)/identities/{identity}"

  static let identities = Resource(
    "identity", "Whom certificates speak for",
    [
      .list(
        "\(organization)/identities", "List the identities",
        [
          .query("search", "q", "Part of a name or external id"), .status,
          .query("role", "role", .choice(["device", "admin"]), "Only these"),
          .query("external-id", "externalId", "Exactly this external id"),
          .query(
            "certificate-expires-before", "certificateExpiresBefore", .time,
            "Those whose last living certificate ends before this time"),
          .query("not-seen-since", "notSeenSince", .time, "Those that have not been there since this time"),
        ], columns: "name role status externalId lastSeenAt createdAt"),
      .show(identityPath, "Show an identity"),
      .create(
        "\(organization)/identities", "Make an identity",
        [
          .operand("NAME", "name", "What it is called: A-Z, a-z, 0-9 and . _ @ : / -"), .role, .attributes,
        ] + external),
      .put(
        "\(organization)/identities", "the identity",
        [.member("name", "name", "What it is called"), .role, .attributes] + external, told: ["id", "name"]),
      .update(identityPath, "Change an identity", [.role, .newStatus, .attributes]),
    ] + Verb.suspension(identityPath, "an identity") + [
      .delete(
        identityPath, "Delete an identity: its seats are free, its certificates revoked",
        [.query("erase", "erase", .flag("true"), "Leave nothing that names someone"), .ifMatch])
    ] + Verb.configuration(identityPath))

  /// How an external CA names an identity.
  private static let external: [Parameter] = [
    .member("authority", "external/authority", "The external CA that names it, by its id"),
    .member("field", "external/field", .choice(fields), "Where in its certificates the name is"),
    .member("value", "external/value", "The name there"),
  ]

  /// The fields of a certificate that can name an identity.
  static let fields = ["san-uri", "san-email", "san-dns", "subject-serial", "subject-cn", "spki"]

  static let certificates = Resource(
    "certificate", "The certificates of identities",
    [
      .list(
        "\(identityPath)/certificates", "List the certificates of an identity",
        columns: "serialNumber status source notBefore notAfter revokedAt"),
      Verb(
        name: "revoke", summary: "Revoke a certificate, at once", method: .post,
        path: "\(organization)/certificates/{certificate}/revoke",
        parameters: [
          .member(
            "reason", "reason",
            .choice([
              "unspecified", "keyCompromise", "affiliationChanged", "superseded", "cessationOfOperation",
              "certificateHold", "privilegeWithdrawn",
            ]), "Why (unspecified unless given)")
        ]),
    ])

  static let enrollments = Resource(
    "enrollment", "Rights to get a certificate",
    [
      .list(
        "\(organization)/enrollments", "List the enrollments",
        columns: "id identity status used uses expiresAt"),
      .show("\(organization)/enrollments/{enrollment}", "Show an enrollment"),
      .create(
        "\(organization)/enrollments", "Make a right to get a certificate",
        [
          .member("identity", "identity", "Whose certificate it gives; an unknown one is made"),
          .member("license", "license", "Assign a seat of this license with each use, by its id"),
          .member("uses", "uses", .number, "How many (1 unless given)"),
          .member("ttl", "ttlSeconds", .duration, "How long it lives (a day unless given)"),
        ], told: "identity id expiresAt token",
        note: "Its token is shown this once: usher enroll takes it, on the device."),
      .delete("\(organization)/enrollments/{enrollment}", "Withdraw an enrollment", []),
    ])

  static let tokens = Resource(
    "token", "API tokens: an organization's, or without one the operators'",
    [
      .list(
        "/v1[/organizations/{org}]/tokens", "List the tokens",
        columns: "id name role lastUsedAt expiresAt"),
      .show("/v1[/organizations/{org}]/tokens/{token}", "Show a token"),
      .create(
        "/v1[/organizations/{org}]/tokens", "Make a token",
        [
          .operand("NAME", "name", "What it is for"),
          .member(
            "role", "role", .choice(["viewer", "admin", "operator"]),
            "What it may do (operators' have one role)"),
          .member("ttl", "ttlSeconds", .duration, "How long it lives (until it is revoked unless given)"),
        ], told: "name id token", note: "The token is shown this once."),
      .delete("/v1[/organizations/{org}]/tokens/{token}", "End a token", []),
      Verb(
        name: "rotate", summary: "Give a token a new secret, which is shown this once", method: .post,
        path: "/v1[/organizations/{org}]/tokens/{token}/rotate", parameters: [],
        told: ["name", "id", "token"]),
    ])

  static let events = Resource(
    "events", "The audit trail: an organization's, or without one everybody's",
    [
      .list(
        "/v1[/organizations/{org}]/events", "List what happened, the oldest first", filters,
        columns: "at type identity"),
      Verb(
        name: "export", summary: "Print what happened, a line of JSON each", method: .get,
        path: "/v1[/organizations/{org}]/events/export", parameters: filters, shape: .lines),
      Verb(
        name: "head", summary: "Show how far the audit trail goes, signed", method: .get,
        path: "/v1[/organizations/{org}]/events/head", parameters: []),
    ])

  private static let filters: [Parameter] = [
    .query("type", "type", "Exactly this type, such as license.created"),
    .query("license", "license", "Of this license, by its id"),
    .query("identity", "identity", "Of this identity, by name or id"),
    .query("from", "from", .time, "The first moment"),
    .query("to", "to", .time, "The first moment that no longer belongs"),
  ]
}

extension Parameter {
  fileprivate static let role = member(
    "role", "role", .choice(["device", "admin"]), "An admin may use the admin API with its certificate")
  fileprivate static let attributes = member("attribute", "attributes", .pairs, "What else is known of it")
}
