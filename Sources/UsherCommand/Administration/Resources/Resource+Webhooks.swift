internal import UsherClient

/// Where events are sent.
extension Resource {
  private static let path = "/v1/organizations/{org}/webhooks"

  static let webhooks = Resource(
    "webhook", "URLs that an organization's events are sent to",
    [
      .list(path, "List the webhooks", columns: "id url status position attempts lastError"),
      .show("\(path)/{webhook}", "Show a webhook"),
      .create(
        path, "Have events sent to a URL",
        [.operand("URL", "url", "Where, by https"), types], told: "id url secret",
        note: "Its secret, by which the receiver knows the sender, is shown this once."),
      .update(
        "\(path)/{webhook}", "Change a webhook",
        [.member("url", "url", "Where, by https"), types, .newStatus]),
    ] + Verb.suspension("\(path)/{webhook}", "a webhook") + [
      .delete("\(path)/{webhook}", "Delete a webhook"),
      Verb(
        name: "rotate", summary: "Give a webhook a new secret, which is shown this once", method: .post,
        path: "\(path)/{webhook}/rotate",
        parameters: [
          .member(
            "overlap", "overlapSeconds", .duration, "How long the one before signs too (a day unless given)")
        ], told: ["id", "secret"]),
      Verb(
        name: "test", summary: "Have a test sent, in its turn", method: .post,
        path: "\(path)/{webhook}/test", parameters: []),
      Verb(
        name: "replay", summary: "Have events sent again, in order", method: .post,
        path: "\(path)/{webhook}/replay",
        parameters: [
          .member("position", "from", .number, "The first, by its place in the chain", required: true)
        ]),
      Verb(
        name: "dead-letters", summary: "List the events that were given up", method: .get,
        path: "\(path)/{webhook}/dead-letters", parameters: [],
        shape: .list(["position", "at", "attempts", "error"])),
    ])

  private static let types = Parameter.member(
    "type", "types", .texts, "Only these events, such as seat.granted or seat.*")
}
