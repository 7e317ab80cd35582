import API
import Directory
import Postgres

/// What `/readyz` says.
struct Readiness: Sendable {
  let database: PostgresClient
  let health: FeedHealth
  let schema: SchemaWatch
  let lifecycle: Lifecycle

  @Sendable func check() async -> Probe.Readiness {
    var checks: [Probe.Readiness.Check] = []
    let problem = database.problem
    checks.append(
      .init("database", isGood: problem == nil, detail: problem ?? "connected"))
    checks.append(.init("schema", isGood: schema.isGood, detail: schema.detail))
    switch health.freshness() {
    case .fresh: checks.append(.init("changes", isGood: true, detail: "heard of less than a second ago"))
    case .stale:
      checks.append(
        .init(
          "changes", isGood: false,
          detail: "not heard of lately: held seats are answered from memory, nothing is granted"))
    case .lost:
      checks.append(
        .init("changes", isGood: false, detail: "not heard of for too long: every request gets 503"))
    }
    if lifecycle.isDraining {
      checks.append(.init("lifecycle", isGood: false, detail: "the server is stopping"))
    }
    return Probe.Readiness(checks: checks)
  }
}
