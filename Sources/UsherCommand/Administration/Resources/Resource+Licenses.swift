internal import UsherClient

/// Rights to seats, and who holds them.
extension Resource {
  private static let licensePath = "/v1/organizations/{org}/licenses"

  static let licenses = Resource(
    "license", "Rights to seats of a product",
    [
      .list(
        licensePath, "List the licenses",
        [
          .query("product", "product", "Of this product"), .status,
          .query("external-id", "externalId", "Exactly this external id"),
          .query("expires-before", "expiresBefore", .time, "Those that end before this time"),
        ], columns: "id product seats usage.held status expiresAt"),
      .show("\(licensePath)/{license}", "Show a license and how full it is"),
      .create(licensePath, "Make a license", sold(required: true) + terms, told: "id"),
      .update(
        "\(licensePath)/{license}", "Change a license", [.seats] + terms + [.newStatus, .drain]),
      .put(licensePath, "the license", sold(required: false) + terms + [.drain], told: ["id"]),
    ] + Verb.suspension("\(licensePath)/{license}", "a license") + [
      .delete("\(licensePath)/{license}", "Delete a license of which no seat is held"),
      Verb(
        name: "reservations", summary: "Show for whom seats are kept", method: .get,
        path: "\(licensePath)/{license}/reservations", parameters: []),
      Verb(
        name: "set-reservations", summary: "Say for whom seats are kept", method: .put,
        path: "\(licensePath)/{license}/reservations",
        parameters: [
          .member(
            "identity", "identities", .texts, "Whom one is kept for, or none: nobody", required: true,
            clearable: true), .ifMatch,
        ]),
    ] + Verb.configuration("\(licensePath)/{license}"))

  private static func sold(required: Bool) -> [Parameter] {
    [
      .member("product", "product", "Of which product, by its code", required: required),
      .member("model", "model", .choice(["floating", "named"]), "Who may take a seat", required: required),
      .member("seats", "seats", .number, "How many", required: required),
    ]
  }

  private static let terms: [Parameter] = [
    .member("overdraft", "overdraft", .number, "Seats beyond these, each flagged"),
    .member(
      "overdraft-until", "overdraftUntil", .time, "When the overdraft ends, or none", clearable: true),
    .member("reassign", "reassignSeconds", .duration, "How long a named seat rests between two holders"),
    .member("max-borrow", "maxBorrowSeconds", .duration, "The longest loan; 0: none"),
    .member("unborrowable", "unborrowableSeats", .number, "So many are never lent"),
    .member("lease", "leaseSeconds", .duration, "How long a lease lives without renewal"),
    .member("grace", "graceSeconds", .duration, "How long an app may work on after that"),
    .member("starts", "startsAt", .time, "When it begins, or none", clearable: true),
    .member("expires", "expiresAt", .time, "When it ends, or none", clearable: true), .features,
    .member(
      "assignment", "assignment", .choice(["manual", "firstClaim"]), "How a named seat finds its holder"),
  ]

  static let seats = Resource(
    "seat", "Who holds the seats of a license",
    [
      .list(
        "\(licensePath)/{license}/seats", "List who holds a seat",
        columns: "identity kind overdraft grantedAt expiresAt lastSeenAt"),
      Verb(
        name: "assign", summary: "Assign a seat for good", method: .put,
        path: "\(licensePath)/{license}/seats/{identity}", parameters: []),
      Verb(
        name: "free", summary: "Take a seat away, at once", method: .delete,
        path: "\(licensePath)/{license}/seats/{identity}",
        parameters: [
          .query("block", "blockSeconds", .duration, "How long the holder cannot claim again"),
          .query("force", "force", .flag("true"), "Mark a borrowed seat as at risk"),
        ]),
    ])

  static let usage = Resource(
    "usage", "How full licenses were",
    [
      Verb(
        name: "show", summary: "Show how full a license was, minute by minute", method: .get,
        path: "/v1/organizations/{org}/usage",
        parameters: [
          .query("license", "license", "The license's id", required: true),
          .query("from", "from", .time, "The first minute (the day before --to unless given)"),
          .query("to", "to", .time, "The end (now unless given)"),
        ], shape: .list(["minute", "peak", "held", "grants", "denials"]))
    ])
}

extension Parameter {
  fileprivate static let seats = member("seats", "seats", .number, "How many")
  fileprivate static let drain = query(
    "drain", "mode", .flag("drain"), "Fewer seats than are held are no error: they end when they end")
}
