internal import HTTP

/// What a connection does when (RFC 9112 §9), without I/O: requests one after the other, answers in their order.
///
/// While an answer is under way nothing is read, and what came with its request waits here: at most one read's worth.
struct ConnectionMachine: ~Copyable {
  /// Where the connection is.
  enum Phase: Sendable, Hashable {
    /// TLS is being set up. → reading, ended
    case handshaking
    /// A request is awaited or being read. → asking, answering, ended
    case reading
    /// Whether a long body may come is with the application. → reading, answering, ended
    case asking
    /// A request is with the application. → writing, ended
    case answering
    /// The answer is on its way. → reading, ended
    case writing
    /// It was told to finish or to close.
    case ended
  }

  /// What to do next.
  enum Step {
    /// Read when there is something to read.
    case read
    /// Send the interim answer 100, then read.
    case goOn
    /// Have the application say whether a long body may come.
    case ask(Request)
    /// Have the application answer.
    case answer(Request)
    /// Answer what is no request, or came too slowly.
    case refuse(RequestFailure)
    /// Nothing, until the answer is made or written.
    case wait
    /// Say goodbye and close in order.
    case finish
    /// Close; there is nothing left to say.
    case close
  }

  /// The time-out that runs, and for which request: it begins anew when this changes and at no other time.
  struct Due: Equatable {
    let timeout: Timeout
    let request: Int
  }

  enum Timeout: Sendable, Hashable, CaseIterable {
    case handshake, idle, header, body, write
  }

  private(set) var phase: Phase
  /// The answer under way, or the next one, is the last.
  private(set) var isLast = false
  private var parser: RequestParser
  private var backlog: [UInt8] = []
  private var stays = true
  private var requests = 0

  init(isSecure: Bool, limits: RequestLimits) {
    phase = isSecure ? .handshaking : .reading
    parser = RequestParser(limits: limits)
  }

  /// Whether a request was answered.
  var hasAnswered: Bool { requests > 0 }

  /// Nothing of a request has come.
  var isIdle: Bool { phase == .reading && parser.progress == .idle }

  var due: Due? {
    let timeout: Timeout? =
      switch phase {
      case .handshaking: .handshake
      case .reading:
        switch parser.progress {
        case .idle: .idle
        case .head: .header
        case .body: .body
        case .failed: nil
        }
      case .writing: .write
      case .asking, .answering, .ended: nil
      }
    return timeout.map { Due(timeout: $0, request: requests) }
  }

  // MARK: Events

  /// The handshake is complete.
  mutating func secured() -> Step {
    guard phase == .handshaking else { return .wait }
    phase = .reading
    return .read
  }

  /// Bytes were read, which happens only after `read`.
  mutating func received(_ input: Span<UInt8>) -> Step {
    guard phase == .reading else { return .wait }
    var start = 0
    while start < input.count {
      let (event, consumed) = parser.feed(input.extracting(droppingFirst: start))
      start += consumed
      switch event {
      case .needsMore: return .read
      case .head(let expectsContinue):
        if start == input.count { return expectsContinue ? .goOn : .read }
      case .longBody(let request):
        keep(input.extracting(droppingFirst: start))
        phase = .asking
        return .ask(request)
      case .request(let request):
        keep(input.extracting(droppingFirst: start))
        phase = .answering
        return .answer(request)
      case .failed(let failure): return refuse(failure)
      }
    }
    return .read
  }

  /// The application lets the long body come.
  mutating func permitted() -> Step {
    guard phase == .asking else { return .wait }
    phase = .reading
    switch parser.permit() {
    case .head(let expectsContinue):
      guard backlog.isEmpty else { return resume() }
      return expectsContinue ? .goOn : .read
    case .failed(let failure): return refuse(failure)
    case .needsMore, .longBody, .request: return .read
    }
  }

  /// It does not: it answers at once, and what would follow is no request.
  mutating func refused() {
    guard phase == .asking else { return }
    phase = .answering
    isLast = true
    backlog = []
  }

  /// There was nothing to read after all.
  mutating func foundNothing() -> Step { isLast ? dismiss() : .wait }

  /// The peer has finished sending. What it did not send to the end nobody answers.
  mutating func inputEnded() -> Step {
    guard phase == .reading || phase == .handshaking else { return .wait }
    phase = .ended
    return .finish
  }

  /// The answer is made and goes out; `stays` is what it says of the connection.
  mutating func answered(stays: Bool) {
    guard phase == .answering else { return }
    phase = .writing
    self.stays = stays && !isLast
    requests += 1
  }

  /// The answer has gone out to its last byte.
  mutating func flushed() -> Step {
    guard phase == .writing else { return phase == .reading ? .read : .wait }
    guard stays else {
      phase = .ended
      return .finish
    }
    phase = .reading
    return backlog.isEmpty ? .read : resume()
  }

  /// What `due` named has taken too long.
  mutating func timedOut() -> Step {
    switch due?.timeout {
    case nil: return .wait
    case .idle:
      phase = .ended
      return .finish
    case .header, .body: return refuse(.timedOut)
    case .handshake, .write:
      phase = .ended
      return .close
    }
  }

  /// The server ends: what has begun is answered, as the last one here; what has not ends now. A request may have come
  /// that nobody has read yet, so an idle connection looks once more.
  mutating func drain() -> Step {
    isLast = true
    switch phase {
    case .handshaking:
      phase = .ended
      return .close
    case .reading: return .read
    case .answering, .writing:
      stays = false
      return .wait
    case .asking, .ended: return .wait
    }
  }

  /// An idle connection ends; one that is in the middle of something does not.
  mutating func dismiss() -> Step {
    guard isIdle else { return .wait }
    phase = .ended
    return .finish
  }

  // MARK: Parts

  private mutating func refuse(_ failure: RequestFailure) -> Step {
    isLast = true
    backlog = []
    phase = .answering
    return .refuse(failure)
  }

  private mutating func keep(_ rest: Span<UInt8>) {
    guard !rest.isEmpty else { return }
    backlog = [UInt8](capacity: rest.count) { output in
      for index in rest.indices { output.append(rest[index]) }
    }
  }

  /// Goes on with what came together with an earlier request.
  private mutating func resume() -> Step {
    let bytes = backlog
    backlog = []
    return received(bytes.span)
  }
}
