/// A kind of thing that admins have to do with, and what can be done.
struct Resource: Sendable {
  let name: String
  let summary: String
  let verbs: [Verb]

  init(_ name: String, _ summary: String, _ verbs: [Verb]) {
    (self.name, self.summary, self.verbs) = (name, summary, verbs)
  }

  func verb(named name: String) -> Verb? { verbs.first { $0.name == name } }

  /// Every command of the admin API: a new route is one entry in one of these.
  static let all: [Resource] = [
    organizations, products, licenses, seats, identities, certificates, enrollments, authorities, tokens,
    events, webhooks, usage,
  ]

  static func named(_ name: String) -> Resource? { all.first { $0.name == name } }
}
