import Foundation

/// An HTTP answer as `curl -i` shows it.
struct Answer: Sendable, CustomStringConvertible {
  let status: Int
  /// Names in small letters.
  let headers: [String: String]
  let body: String
  /// curl's exit code and complaint, when it got no answer.
  let failure: String?
  let exitCode: Int32

  init(_ finished: Finished) {
    exitCode = finished.status
    failure = finished.status == 0 ? nil : finished.errors
    // An interim 100 stands before the answer.
    var rest = Substring(finished.output.replacingOccurrences(of: "\r\n", with: "\n"))
    while rest.hasPrefix("HTTP/1.1 100"), let end = rest.range(of: "\n\n") { rest = rest[end.upperBound...] }
    let head: Substring
    if let end = rest.range(of: "\n\n") {
      head = rest[..<end.lowerBound]
      body = String(rest[end.upperBound...])
    } else {
      head = rest
      body = ""
    }
    let lines = head.split(separator: "\n")
    status = lines.first.flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Int($0) } ?? 0
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2 { headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces) }
    }
    self.headers = headers
  }

  /// A member of the JSON object that is the body.
  subscript(_ name: String) -> Any? {
    (try? JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any])?[name]
  }

  func text(_ name: String) -> String { self[name] as? String ?? "" }
  func number(_ name: String) -> Int { self[name] as? Int ?? -1 }

  var description: String { failure.map { "curl failed (\(exitCode)): \($0)" } ?? "\(status) \(body)" }
}
