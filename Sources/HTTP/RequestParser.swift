/// Reads the requests of one connection from its bytes (RFC 9112), strictly and without I/O.
///
/// Feed it what arrives. It takes what belongs to the request at hand and leaves the rest with the caller: after
/// `head` feed the rest at once, after `request` when the answer is on its way, after `failed` never.
public struct RequestParser: ~Copyable {
  /// What the input led to.
  public enum Event: Sendable {
    /// All input was taken; more is needed.
    case needsMore
    /// The head is sound and a body follows. A client that expects it must be sent `Response.goOn`, unless the body
    /// is there already.
    case head(expectsContinue: Bool)
    /// The head is sound, and a body follows that is longer than others may be. None of it is taken before `permit`.
    case longBody(Request)
    case request(Request)
    /// What came is no request, or more than the limits allow: answer, then close.
    case failed(RequestFailure)
  }

  /// Where the parser is between two calls, which decides the time-out that runs.
  public enum Progress: Sendable, Hashable {
    /// No byte of a next request has come.
    case idle
    case head, body, failed
  }

  fileprivate enum State: ~Copyable {
    /// The scanner and the bytes it has seen, none while a head may still come in one piece.
    case head(HeadScanner, [UInt8])
    /// A long body that nobody has permitted yet.
    case waiting(Request, length: Int)
    case body(Request, missing: Int)
    case chunks(Request, ChunkedDecoder)
    case failed(RequestFailure)

    static var idle: State { .head(HeadScanner(), []) }
  }

  private let limits: RequestLimits
  private var state: State
  public private(set) var progress = Progress.idle
  /// The last request, where it may be kept: most clients ask the same again.
  private var last: Request?

  public init(limits: RequestLimits = RequestLimits()) {
    self.limits = limits
    state = .idle
  }

  /// Lets a long body in, which was announced: `head`, or `failed` when too many are being read.
  public mutating func permit() -> Event {
    var current = State.idle
    swap(&current, &state)
    do throws(RequestFailure) {
      let step = try State.permit(current)
      let event = step.event
      state = step.state
      progress = state.progress
      return event
    } catch {
      return fail(error)
    }
  }

  /// Reads on from `input`, the bytes right after those consumed before.
  public mutating func feed(_ input: Span<UInt8>) -> (event: Event, consumed: Int) {
    // What a head means depends on its bytes alone: the same bytes need not be judged again.
    if progress == .idle, let last, input.begins(with: last.bytes.span) {
      return (.request(last), last.bytes.count)
    }
    var current = State.idle
    swap(&current, &state)
    do throws(RequestFailure) {
      let step = try State.step(current, input, limits)
      let (event, consumed) = (step.event, step.consumed)
      state = step.state
      progress = state.progress
      if case .request(let request) = event { last = request.mayBeKept ? request : nil }
      return (event, consumed)
    } catch {
      return (fail(error), input.count)
    }
  }

  private mutating func fail(_ failure: RequestFailure) -> Event {
    state = .failed(failure)
    progress = .failed
    last = nil
    return .failed(failure)
  }
}

extension RequestParser {
  fileprivate struct Step: ~Copyable {
    let state: State
    let event: Event
    let consumed: Int

    init(_ state: consuming State, _ event: Event, _ consumed: Int) {
      self.state = state
      self.event = event
      self.consumed = consumed
    }
  }
}

extension RequestParser.State {
  fileprivate var progress: RequestParser.Progress {
    switch self {
    case .head(_, let bytes): bytes.isEmpty ? .idle : .head
    case .waiting: .body
    case .body: .body
    case .chunks: .body
    case .failed: .failed
    }
  }

  /// From `waiting` to `body`.
  fileprivate static func permit(_ state: consuming Self) throws(RequestFailure) -> RequestParser.Step {
    switch consume state {
    case .waiting(let request, let length):
      var head = request.head
      head.longBody = try LongBodyPlace()
      let admitted = Request(head: head, bytes: request.bytes)
      return RequestParser.Step(
        .body(admitted, missing: length), .head(expectsContinue: head.expectsContinue), 0)
    case .head(let scanner, let bytes): return RequestParser.Step(.head(scanner, bytes), .needsMore, 0)
    case .body(let request, let missing):
      return RequestParser.Step(.body(request, missing: missing), .needsMore, 0)
    case .chunks(let request, let decoder):
      return RequestParser.Step(.chunks(request, decoder), .needsMore, 0)
    case .failed(let failure): throw failure
    }
  }

  /// From `head` to `body` or `chunks` or `head` again, from those back to `head`, from `failed` nowhere; to
  /// `waiting` where only `permit` leads on.
  fileprivate static func step(
    _ state: consuming Self, _ input: Span<UInt8>, _ limits: RequestLimits
  ) throws(RequestFailure) -> RequestParser.Step {
    switch consume state {
    case .head(let scanner, let bytes):
      return try readHead(scanner, bytes, input, limits)
    case .body(var request, let missing):
      let count = min(missing, input.count)
      request.body.append(copying: input, 0..<count)
      guard count == missing else {
        return RequestParser.Step(.body(request, missing: missing - count), .needsMore, count)
      }
      return RequestParser.Step(.idle, .request(request), count)
    case .chunks(var request, var decoder):
      let count = try decoder.decode(input, into: &request.body)
      guard decoder.isComplete else {
        return RequestParser.Step(.chunks(request, decoder), .needsMore, count)
      }
      return RequestParser.Step(.idle, .request(request), count)
    case .failed(let failure):
      throw failure
    case .waiting:
      throw .bodyTooLarge
    }
  }

  private static func readHead(
    _ scanner: consuming HeadScanner, _ seen: consuming [UInt8], _ input: Span<UInt8>, _ limits: RequestLimits
  ) throws(RequestFailure) -> RequestParser.Step {
    let before = seen.count
    if before == 0 {
      guard try scanner.scan(input, limits: limits) else {
        return RequestParser.Step(
          .head(scanner, [UInt8](copying: input, input.indices)), .needsMore, input.count)
      }
      seen = [UInt8](copying: input, 0..<scanner.position)
    } else {
      // Four line ends stand outside the limits: an empty line before, the request line's, the last one.
      let most = limits.requestLine + limits.fieldBytes + 8
      seen.append(copying: input, 0..<min(input.count, most - before))
      guard try scanner.scan(seen.span, limits: limits) else {
        return RequestParser.Step(.head(scanner, seen), .needsMore, input.count)
      }
      seen.removeLast(seen.count - scanner.position)
    }
    let (consumed, request) = (scanner.position - before, Request(head: scanner.head, bytes: seen))
    switch request.head.framing {
    case .none:
      return RequestParser.Step(.idle, .request(request), consumed)
    case .length(let length) where request.head.isLong:
      return RequestParser.Step(.waiting(request, length: length), .longBody(request), consumed)
    case .length(let length):
      return RequestParser.Step(
        .body(request, missing: length), .head(expectsContinue: request.head.expectsContinue), consumed)
    case .chunked:
      return RequestParser.Step(
        .chunks(request, ChunkedDecoder(limits: limits)),
        .head(expectsContinue: request.head.expectsContinue), consumed)
    }
  }
}
