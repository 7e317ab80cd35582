import Foundation

/// One connection of `openssl s_client` with one request, which may offer a session and keep the one it gets.
struct SessionVisit {
  /// Whether the server resumed the session that was offered.
  let isResumed: Bool
  /// The whole answer; empty where there was none.
  let answer: String
  /// The number of the alert that came instead.
  let alert: String?

  init(
    _ device: Device?, to address: String, of installation: Installation, version: String = "1.3",
    name: String? = "localhost", host: String? = nil, path: String = "/v1/identity", offering: String? = nil,
    keeping: String? = nil
  ) throws {
    var arguments = [
      "20", "openssl", "s_client", "-connect", address.replacingOccurrences(of: "https://", with: ""),
      "-CAfile", installation.serverCA, "-ign_eof", version == "1.2" ? "-tls1_2" : "-tls1_3",
    ]
    arguments += name.map { ["-servername", $0] } ?? ["-noservername"]
    arguments += device?.shown ?? []
    if let offering { arguments += ["-sess_in", offering] }
    if let keeping { arguments += ["-sess_out", keeping] }
    let request = "GET \(path) HTTP/1.1\r\nHost: \(host ?? name ?? "localhost")\r\nConnection: close\r\n\r\n"
    let result = try Shell.run("timeout", arguments, input: request)
    isResumed = result.output.contains("Reused, TLSv")
    answer = result.output.range(of: "HTTP/1.1 ").map { String(result.output[$0.lowerBound...]) } ?? ""
    alert = result.errors.range(of: "SSL alert number ").map {
      String(result.errors[$0.upperBound...].prefix { $0.isNumber })
    }
  }

  var status: Int { answer.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0 }

  /// The problem's code.
  var code: String { answer.firstMatch(of: /"code":\s*"([^"]+)"/).map { String($0.1) } ?? "" }
}
