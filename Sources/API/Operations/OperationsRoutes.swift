import HTTP
import JSON

/// Probes and metrics, on the machine itself.
enum OperationsRoutes {
  static let all: [Route] = [
    Route(.get, "/livez", on: [.ops], for: .anyone, live),
    Route(.get, "/readyz", on: [.ops], for: .anyone, ready),
    Route(.get, "/metrics", on: [.ops], for: .anyone, metrics),
  ]

  /// The process answers; whether it can work is another question.
  private static func live(_ exchange: Exchange) async throws -> Response {
    Response(200, headers: [HeaderField(.contentType, "text/plain; charset=utf-8")], body: Array("ok\n".utf8))
  }

  private static func ready(_ exchange: Exchange) async throws -> Response {
    let readiness = await exchange.services.probe.readiness()
    return .json(readiness.isReady ? 200 : 503, headers: [HeaderField(.cacheControl, "no-store")]) { writer in
      writer.object { writer in
        writer.member("status", readiness.isReady ? "ready" : "not-ready")
        writer.member("checks", array: readiness.checks) { writer, check in
          writer.object { writer in
            writer.member("name", check.name)
            writer.member("ok", check.isGood)
            writer.member("detail", check.detail)
          }
        }
      }
    }
  }

  private static func metrics(_ exchange: Exchange) async throws -> Response {
    Response(
      200, headers: [HeaderField(.contentType, "text/plain; version=0.0.4; charset=utf-8")],
      body: exchange.services.probe.metrics())
  }
}
