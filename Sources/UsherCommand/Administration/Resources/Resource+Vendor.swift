/// What the vendor has and sells.
extension Resource {
  static let organizations = Resource(
    "org", "The vendor's customers",
    [
      .list(
        "/v1/organizations", "List the organizations",
        [
          .query("search", "q", "Part of a name, slug or external id"), .status,
          .query("external-id", "externalId", "Exactly this external id"),
        ], columns: "slug name status externalId createdAt"),
      .show("/v1/organizations/{organization}", "Show an organization"),
      .create(
        "/v1/organizations", "Make an organization",
        [
          .operand("SLUG", "slug", "What it is called in paths, a DNS label"),
          .member("name", "name", "What people call it", required: true),
          .member("contact", "contactUrl", "Where its refused people are sent (a URL)"),
          .member("hostname", "hostname", "A host name that serves it alone"),
          .member("admin", "admin/name", "Also make a setup token for its first admin, of this name"),
        ] + terms, told: "slug setupToken",
        note: "With --admin the setup token is shown this once: usher login --setup takes it."),
      .update(
        "/v1/organizations/{organization}", "Change an organization",
        [
          .member("name", "name", "What people call it"), .newStatus,
          .member("contact", "contactUrl", "Where its refused people are sent, or none", clearable: true),
          .member("hostname", "hostname", "A host name that serves it alone, or none", clearable: true),
        ] + terms),
      .put(
        "/v1/organizations", "the organization",
        [
          .member("slug", "slug", "What it is called in paths, a DNS label"),
          .member("name", "name", "What people call it"),
          .member("contact", "contactUrl", "Where its refused people are sent (a URL)"),
          .member("hostname", "hostname", "A host name that serves it alone"),
        ] + terms, told: ["slug"]),
    ] + Verb.suspension("/v1/organizations/{organization}", "an organization") + [
      .delete("/v1/organizations/{organization}", "Delete an organization that holds no seats")
    ] + Verb.configuration("/v1/organizations/{organization}"))

  /// What the certificates are like that the service issues for an organization.
  private static let terms: [Parameter] = [
    .member(
      "renew-after-expiry", "renewAfterExpirySeconds", .duration,
      "How long an expired certificate may still renew itself"),
    .member("validity", "certificates/validitySeconds", .duration, "How long certificates live"),
    .member(
      "renew-before", "certificates/renewBeforeSeconds", .duration,
      "How long before its end one should be renewed, or none", clearable: true),
    .member("overlap", "certificates/overlapSeconds", .duration, "How long one lives on after its renewal"),
    .member("key-type", "certificates/keyTypes", .texts, "What keys may be, or none: any", clearable: true),
    .member("subject", "certificates/subject", .choice(["identity", "empty"]), "What their subject is"),
  ]

  static let products = Resource(
    "product", "What the vendor sells",
    [
      .list(
        "/v1/products", "List the products",
        [
          .query("search", "q", "Part of a name, code or external id"),
          .query("external-id", "externalId", "Exactly this external id"),
        ], columns: "code name features externalId createdAt"),
      .show("/v1/products/{product}", "Show a product"),
      .create(
        "/v1/products", "Make a product",
        [
          .operand("CODE", "code", "What apps call it"),
          .member("name", "name", "What people call it", required: true), .features,
        ]),
      .update(
        "/v1/products/{product}", "Change a product",
        [.member("name", "name", "What people call it"), .features]),
      .put(
        "/v1/products", "the product",
        [
          .member("code", "code", "What apps call it"), .member("name", "name", "What people call it"),
          .features,
        ], told: ["code"]),
      .delete("/v1/products/{product}", "Delete a product that no license is of"),
    ])
}

extension Parameter {
  static let features = member("feature", "features", .features, "What it can: a name alone is true")
  static let status = query("status", "status", .choice(["active", "suspended"]), "Only these")
  static let newStatus = member(
    "status", "status", .choice(["active", "suspended"]), "What it is from now on")

  /// A member that is a text.
  static func member(
    _ name: String, _ pointer: String, _ help: String, required: Bool = false, clearable: Bool = false
  ) -> Parameter {
    member(name, pointer, .text, help, required: required, clearable: clearable)
  }

  /// A text of the query.
  static func query(_ name: String, _ key: String, _ help: String, required: Bool = false) -> Parameter {
    query(name, key, .text, help, required: required)
  }
}
