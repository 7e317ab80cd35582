internal import Cryptography
internal import JSON
internal import UsherClient

/// Sends many requests in pieces, and tells what came of each.
struct BulkRun: Sendable {
  /// Small enough that the bar moves and an answer comes long before the time-out.
  private static let piece = 100
  private static let pieceBytes = 512 * 1024
  private static let attempts = 6

  let administrator: Administrator
  let terminal: Terminal
  let parameters: [Parameter]
  /// Members that are printed of what was done, as CSV; none: nothing is printed.
  let told: [String]
  let asJSON: Bool

  /// - Throws: `ClientError` when the server cannot be asked any more; what was done stays done.
  func run(_ lines: [BulkLine]) async throws -> ExitCode {
    var tally = BulkTally()
    var results: [JSONValue] = []
    let bar = ProgressBar(terminal: terminal, total: lines.count)
    defer { bar.wipe() }
    if !told.isEmpty, !asJSON { terminal.print(told.joined(separator: ",")) }
    var rest = lines[...]
    while !rest.isEmpty {
      bar.show(tally.total)
      let piece = Self.firstPiece(of: rest)
      rest = rest[piece.endIndex...]
      for result in try await settle(piece) {
        tally.count(result.verdict)
        if asJSON { results.append(result.json) } else { tell(result, bar) }
        // Then all others would be refused alike.
        if result.status == 401 { rest = rest[rest.endIndex...] }
      }
    }
    bar.wipe()
    if asJSON { terminal.print(tally.json(results).rendered) }
    let words =
      tally.description + (tally.total < lines.count ? ", \(lines.count - tally.total) not sent" : "")
    terminal.error(words + (tally.later > 0 ? "; run it again: nothing is done twice" : ""))
    return tally.refused > 0 ? .refused : tally.later > 0 ? .unknown : .success
  }

  private static func firstPiece(of lines: ArraySlice<BulkLine>) -> ArraySlice<BulkLine> {
    var bytes = 0
    let piece = lines.prefix(piece).prefix { line in
      bytes += line.json.rendered.utf8.count + 1
      return bytes <= pieceBytes
    }
    return piece.isEmpty ? lines.prefix(1) : piece
  }

  /// Sends lines until the server had time for each, or never has.
  private func settle(_ lines: ArraySlice<BulkLine>) async throws -> [BulkResult] {
    var settled: [Int: BulkResult] = [:]
    var pending = Array(lines)
    for attempt in 1...Self.attempts where !pending.isEmpty {
      var wait = 1 << (attempt - 1)
      do throws(ClientError) {
        for result in try await send(pending) { settled[result.number] = result }
      } catch {
        guard case .cannotTell(_, let seconds) = error, attempt < Self.attempts else { throw error }
        wait = max(wait, seconds ?? 0)
      }
      pending = pending.filter { settled[$0.number].map { $0.verdict == .later } ?? true }
      wait = max(wait, pending.compactMap { settled[$0.number]?.retryAfter }.max() ?? 0)
      if !pending.isEmpty, attempt < Self.attempts { try await Task.sleep(for: .seconds(min(wait, 60))) }
    }
    return lines.compactMap { settled[$0.number] }
  }

  private func send(_ lines: [BulkLine]) async throws(ClientError) -> [BulkResult] {
    let body = Array(lines.map { $0.json.rendered + "\n" }.joined().utf8)
    let key: String
    do throws(OpenSSLError) { key = try SHA256Digest(hashing: body).hexadecimal } catch {
      throw .unusable("\(error)")
    }
    let answer = try await administrator.send(
      .post, "/v1/bulk", Administrator.Content("application/x-ndjson", body),
      fields: [("Idempotency-Key", key)])
    let told = answer.body.split(separator: UInt8(ascii: "\n"))
    guard told.count == lines.count else { throw .noList }
    var results: [BulkResult] = []
    for (line, text) in zip(lines, told) {
      guard let document = try? JSONValue(parsing: Array(text)) else { throw .noList }
      results.append(BulkResult(number: line.number, document: document))
    }
    return results
  }

  private func tell(_ result: BulkResult, _ bar: ProgressBar) {
    switch result.verdict {
    case .existing: return
    case .done:
      guard !told.isEmpty else { return }
      bar.wipe()
      terminal.print(
        told.map { CSV.cell(CellText.raw(result.body.value(at: $0) ?? .null)) }.joined(separator: ","))
    case .refused, .later:
      bar.wipe()
      let detail = if case .string(let detail)? = result.body["detail"] { detail } else { "no reason" }
      terminal.error(
        "line \(result.number) "
          + ProblemText.text(code: result.code, detail: detail, result.body, parameters))
    }
  }
}
