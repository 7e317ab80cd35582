internal import HTTP
internal import Reactor
internal import TLS
internal import Telemetry

/// One connection on its loop: it does what its `ConnectionMachine` says.
final class Connection<App: Responder>: EventSource {
  private enum Stage {
    case open
    /// All is said; what the peer still sends is thrown away, so that a reset does not overtake our last bytes.
    case lingering(discarded: Int)
    case closed
  }

  /// So often it reads in one turn of the loop.
  private static var mostReads: Int { 16 }

  /// Where it stands among its lane's connections.
  var place = 0
  private let lane: Lane<App>
  private var wire: Wire<App.Peer>
  /// The name that the client asked for in the handshake, as bytes.
  private var serverName: [UInt8]?
  private var machine: ConnectionMachine
  private var stage = Stage.open
  private var absence: Absence?
  private var registration: Registration?

  /// There may be something to read.
  private var canRead = false
  /// The peer has finished or failed: only reading to the end tells.
  private var isEnding = false
  /// OpenSSL waits to write, though we want to read.
  private var waitsToWrite = false
  /// What the kernel has not taken yet.
  private var unsent: [UInt8] = []

  /// Whom the connection belongs to; nil before the handshake is complete, and after the end.
  private(set) var peer: App.Peer?
  /// What the application keeps here.
  private var memory: App.Memory?

  private var task: Task<Void, Never>?
  /// The application is being called; an answer that comes before the call returns is put into `answer`.
  private var isCalling = false
  private var answer: Response?

  private var due: ConnectionMachine.Due?
  private var deadline = MonotonicInstant(nanoseconds: .max)
  private var timer: (id: TimerID, fires: MonotonicInstant)?

  init(_ descriptor: consuming Descriptor, _ stream: TLSStream<App.Peer>?, _ lane: Lane<App>) {
    wire = Wire(descriptor, stream)
    self.lane = lane
    machine = ConnectionMachine(isSecure: stream != nil, limits: lane.configuration.limits)
  }

  /// The peer was over when it came: it may ask once, and is told why.
  private var beganOver = false

  func start(on loop: isolated EventLoop) throws(SystemError) {
    registration = try wire.register(self, on: loop)
    updateTimer(on: loop)
  }

  // MARK: From the loop

  func ready(_ readiness: Readiness, on loop: isolated EventLoop) {
    guard absence == nil else {
      absence?.missed.formUnion(readiness)
      return
    }
    if !readiness.isDisjoint(with: [.readable, .peerClosed, .failed]) { canRead = true }
    if !readiness.isDisjoint(with: [.peerClosed, .failed]) {
      isEnding = true
      // Whoever has gone does not wait for the answer; whoever has only finished sending still gets it.
      task?.cancel()
    }
    switch stage {
    case .open:
      if waitsToWrite, readiness.contains(.writable) {
        waitsToWrite = false
        canRead = true
      }
      if !unsent.isEmpty, readiness.contains(.writable) {
        run(sendRest(), on: loop)
      } else if canRead {
        run(machine.phase == .reading || machine.phase == .handshaking ? .read : .wait, on: loop)
      }
    case .lingering(let discarded): discard(after: discarded, on: loop)
    case .closed: break
    }
  }

  /// The listener ends: so does this, after what is in flight.
  func drain(on loop: isolated EventLoop) {
    guard case .open = stage else { return }
    canRead = true
    run(machine.drain(), on: loop)
  }

  /// Ends if its peer is over and it is idle.
  func heed(_ verdict: IdleVerdict, on loop: isolated EventLoop) {
    guard case .open = stage else { return }
    switch verdict {
    case .stays: break
    case .wasOver where !machine.hasAnswered: break
    case .isOver where beganOver && !machine.hasAnswered: break
    case .wasOver, .isOver: run(machine.dismiss(), on: loop)
    }
  }

  // MARK: The machine's steps

  private func run(_ first: ConnectionMachine.Step, on loop: isolated EventLoop) {
    var step = first
    var reads = 0
    while true {
      switch step {
      case .read:
        guard canRead else { return updateTimer(on: loop) }
        reads += 1
        guard reads <= Self.mostReads else { return yield(on: loop) }
        step = machine.phase == .handshaking ? shakeHands(on: loop) : read()
      case .goOn:
        let bytes = Response.goOn
        step = send(bytes.span) ? .read : .close
      case .ask(let request): step = ask(about: request, on: loop)
      case .answer(let request): step = call(with: request, on: loop)
      case .refuse(let failure): step = conclude(lane.app.response(to: failure), to: nil)
      case .wait: return updateTimer(on: loop)
      case .finish: return finish(on: loop)
      case .close: return close(on: loop)
      }
    }
  }

  /// Goes on reading in the next turn: a client that never stops sending must not keep the others waiting.
  private func yield(on loop: isolated EventLoop) {
    updateTimer(on: loop)
    loop.afterTurn {
      if case .open = self.stage, self.machine.phase == .reading { self.run(.read, on: loop) }
    }
  }

  private func shakeHands(on loop: isolated EventLoop) -> ConnectionMachine.Step {
    guard let threads = lane.handshakeThreads, let stream = wire.stream else {
      return shaken(wire.handshake())
    }
    absence = Absence()
    let connection = LoopBound(self, on: loop)
    stream.handshake(on: threads.run) { progress in
      connection.loop.submit { loop in connection.get(on: loop).returned(with: progress, on: loop) }
    }
    return .wait
  }

  /// The stream is back from the thread where it went on with the handshake.
  private func returned(with progress: Progress, on loop: isolated EventLoop) {
    guard let absence else { return }
    self.absence = nil
    if absence.endsInClosing { return close(on: loop) }
    run(shaken(progress), on: loop)
    if !absence.missed.isEmpty { ready(absence.missed, on: loop) }
  }

  private func shaken(_ progress: Progress) -> ConnectionMachine.Step {
    switch progress {
    case .done:
      let isResumed = wire.stream?.isResumed == true
      (isResumed ? lane.metrics.resumedHandshakes : lane.metrics.fullHandshakes).increment()
      serverName = (wire.stream?.serverName).map { Array($0.utf8) }
      peer = wire.stream?.peer
      beganOver = peer.map(lane.isOver) ?? false
      return machine.secured()
    case .wantRead:
      canRead = false
      return .wait
    case .wantWrite:
      waitsToWrite = true
      return .wait
    case .closed: return fail(.truncated)
    case .failed(let failure): return fail(failure)
    }
  }

  private func fail(_ failure: TLSFailure) -> ConnectionMachine.Step {
    if case .refused(let refusal) = failure {
      lane.metrics.refused(refusal.reason)
      lane.configuration.onRefusal(refusal)
    } else {
      lane.metrics.failedHandshakes.increment()
    }
    return failure.sendsAlert ? .finish : .close
  }

  private func read() -> ConnectionMachine.Step {
    lane.withInput { input in
      var buffer = input.mutableSpan
      switch wire.read(into: &buffer) {
      case .done(let count):
        // Edge-triggered: a read that took less than there was room for has emptied the socket, but OpenSSL may hold more.
        canRead = isEnding || count == input.count || wire.hasPending
        return machine.received(input.span.extracting(first: count))
      case .wantRead:
        canRead = false
        return machine.foundNothing()
      case .wantWrite:
        canRead = false
        waitsToWrite = true
        return .wait
      case .closed:
        isEnding = true
        return machine.inputEnded()
      case .failed(let failure): return failure.sendsAlert ? .finish : .close
      }
    }
  }

  // MARK: Requests and answers

  /// Has the application answer. What it can say without waiting is written before this returns.
  private func call(with request: Request, on loop: isolated EventLoop) -> ConnectionMachine.Step {
    if isMisdirected(request) { return conclude(lane.app.response(to: .misdirected), to: nil) }
    let peer = peer
    // Most answers wait for nothing: they need no task.
    if let response = lane.app.responseAtOnce(to: request, from: peer, remembering: &memory) {
      return conclude(response, to: request)
    }
    isCalling = true
    let task = Task.immediate {
      let response = await lane.app.respond(to: request, from: peer)
      deliver(response, to: request, on: loop)
    }
    isCalling = false
    if let answer {
      self.answer = nil
      return conclude(answer, to: request)
    }
    self.task = task
    return .wait
  }

  private func isMisdirected(_ request: Request) -> Bool {
    if let serverName { return !request.isFor(host: serverName) }
    // Leaving the name out of the handshake is no way around it.
    return wire.stream != nil && lane.app.demandsServerName(request)
  }

  /// Has the application say whether a long body may come, before any of it is taken.
  private func ask(about request: Request, on loop: isolated EventLoop) -> ConnectionMachine.Step {
    if isMisdirected(request) {
      machine.refused()
      return conclude(lane.app.response(to: .misdirected), to: nil)
    }
    let peer = peer
    task = Task.immediate {
      let refusal = await lane.app.refusal(ofLongBody: request, from: peer)
      // Not within `run`, which has called this.
      loop.afterTurn { self.asked(about: request, refusal, on: loop) }
    }
    return .wait
  }

  private func asked(about request: Request, _ refusal: Response?, on loop: isolated EventLoop) {
    task = nil
    guard case .open = stage else { return }
    guard let refusal else { return run(machine.permitted(), on: loop) }
    machine.refused()
    run(conclude(refusal, to: request), on: loop)
  }

  private func deliver(_ response: Response, to request: Request, on loop: isolated EventLoop) {
    guard !isCalling else {
      answer = response
      return
    }
    task = nil
    guard case .open = stage else { return }
    run(conclude(response, to: request), on: loop)
  }

  private func conclude(_ response: Response, to request: Request?) -> ConnectionMachine.Step {
    let stays = lane.write(response, answering: request, closes: machine.isLast)
    machine.answered(stays: stays)
    let bytes = lane.output
    guard send(bytes.span) else { return .close }
    return unsent.isEmpty ? machine.flushed() : .wait
  }

  // MARK: Writing

  /// Sends what the kernel takes and keeps the rest; false when the connection is gone.
  private func send(_ bytes: Span<UInt8>) -> Bool {
    var sent = 0
    if unsent.isEmpty {
      while sent < bytes.count {
        guard let count = wire.send(bytes.extracting(droppingFirst: sent)) else { return false }
        if count == 0 { break }
        sent += count
      }
    }
    if sent < bytes.count {
      unsent.append(addingCapacity: bytes.count - sent) { output in
        for index in sent..<bytes.count { output.append(bytes[index]) }
      }
    }
    return true
  }

  private func sendRest() -> ConnectionMachine.Step {
    let bytes = unsent
    unsent = []
    guard send(bytes.span) else { return .close }
    return unsent.isEmpty ? machine.flushed() : .wait
  }

  // MARK: The end

  /// Says goodbye and closes once the peer has read it, or has had time to.
  private func finish(on loop: isolated EventLoop) {
    wire.finishWriting()
    (peer, memory) = (nil, nil)
    guard lane.mayLinger() else { return close(on: loop) }
    stage = .lingering(discarded: 0)
    unsent = []
    setDeadline(lane.deadlines.endOfLingering(from: loop.now), on: loop)
    discard(after: 0, on: loop)
  }

  private func discard(after discarded: Int, on loop: isolated EventLoop) {
    let sum = lane.withInput { input in
      var buffer = input.mutableSpan
      return wire.discard(by: &buffer, after: discarded)
    }
    if let sum { stage = .lingering(discarded: sum) } else { close(on: loop) }
  }

  /// Closes at once, whatever is under way.
  func close(on loop: isolated EventLoop) {
    guard absence == nil else {
      absence?.endsInClosing = true
      return
    }
    switch stage {
    case .open: break
    case .lingering: lane.endsLingering()
    case .closed: return
    }
    stage = .closed
    task?.cancel()
    if let timer { loop.cancel(timer.id) }
    timer = nil
    if let registration { loop.deregister(registration) }
    wire.close()
    (peer, memory) = (nil, nil)
    unsent = []
    lane.left(self, on: loop)
  }

  // MARK: Time

  private func updateTimer(on loop: isolated EventLoop) {
    let next = machine.due
    guard next != due else { return }
    due = next
    var deadline = MonotonicInstant(nanoseconds: .max)
    if let next { deadline = lane.deadlines.end(of: next.timeout, from: loop.now) }
    setDeadline(deadline, on: loop)
  }

  /// Moving a deadline back costs nothing: the timer that is set finds out when it fires.
  private func setDeadline(_ deadline: MonotonicInstant, on loop: isolated EventLoop) {
    self.deadline = deadline
    if let timer {
      if timer.fires <= deadline { return }
      loop.cancel(timer.id)
    }
    if deadline.nanoseconds == .max {
      timer = nil
    } else {
      timer = (loop.schedule(at: deadline) { self.timerFired(on: loop) }, deadline)
    }
  }

  private func timerFired(on loop: isolated EventLoop) {
    timer = nil
    guard deadline <= loop.now else { return setDeadline(deadline, on: loop) }
    switch stage {
    case .open:
      if let due { lane.metrics.timedOut(due.timeout) }
      run(machine.timedOut(), on: loop)
    case .lingering: close(on: loop)
    case .closed: break
    }
  }
}
