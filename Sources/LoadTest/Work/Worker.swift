internal import JSON
internal import Reactor
internal import TLS

/// One virtual client. It lives on one loop.
final class Worker {
  let job: Job
  let crew: Crew
  private let number: Int
  private var turn = 0
  private var connection: LoadConnection?
  private var session: ClientSession?
  /// Where in its day the device of `mixed` is.
  private var step = 0

  /// How long a device of `mixed` works between claim and release, in requests.
  private static var requestsOfDay: Int { 8 }

  init(_ number: Int, _ job: Job, _ crew: Crew) {
    self.number = number
    self.job = job
    self.crew = crew
  }

  /// Gets ready, waits for the start, and works until the run is over.
  func run(on loop: isolated EventLoop) async {
    await prepare(on: loop)
    await job.line.arrive(on: loop)
    if job.work == .idle {
      await crew.alarm.sleep(until: job.pace.end, on: loop)
    } else {
      while let moment = await job.pace.next(crew.alarm, on: loop) {
        guard await perform(since: moment, on: loop) else { break }
      }
    }
    await leave(on: loop)
  }

  // MARK: Before and after

  /// What has to be there before the clock starts: seats that are held, and connections that stand.
  private func prepare(on loop: isolated EventLoop) async {
    await crew.door.enter(on: loop)
    defer { crew.door.leave() }
    if job.work.claimsBefore {
      let identities = job.work == .handshake ? identitiesOfMine : 1
      for turn in 0..<identities {
        self.turn = turn
        await hold(on: loop)
        if job.work == .handshake { disconnect(on: loop) }
      }
      turn = 0
    } else if job.work == .claim {
      // Whoever asks for the first time is looked up, or made known, which is not what is timed.
      await hold(on: loop)
      _ = try? await connection?.exchange(job.release, on: loop)
    }
    if job.work == .resume {
      session = connection?.session
      disconnect(on: loop)
    }
  }

  /// Claims a seat that stays, untimed.
  private func hold(on loop: isolated EventLoop) async {
    guard let connection = await connected(on: loop) else { return }
    do throws(ConnectionFailure) {
      let answer = try await connection.exchange(job.claim, on: loop)
      if !(200...201).contains(answer.status) { crew.failed(.claim, answer.reason) }
    } catch { await failed(.claim, error, on: loop) }
  }

  /// How many identities it plays in turn: none that another worker plays, while there are enough.
  private var identitiesOfMine: Int {
    max(1, (job.identities.count - number + job.workers - 1) / job.workers)
  }

  private func leave(on loop: isolated EventLoop) async {
    if job.work == .claim || job.work == .mixed { _ = try? await connection?.exchange(job.release, on: loop) }
    disconnect(on: loop)
  }

  // MARK: One operation

  /// False: there is nothing left to do.
  private func perform(since moment: MonotonicInstant, on loop: isolated EventLoop) async -> Bool {
    switch job.work {
    case .handshake: await connectAndCheck(.connect, since: moment, on: loop)
    case .resume: await connectAndCheck(.resume, since: moment, on: loop)
    case .check: await ask(.check, job.check, wanting: 200, since: moment, on: loop)
    case .renew: await ask(.renew, job.claim, wanting: 200, since: moment, on: loop)
    case .claim:
      if await ask(.claim, job.claim, wanting: 201, since: moment, on: loop) {
        await ask(.release, job.release, wanting: 204, since: .now, on: loop)
      }
    case .mixed: await liveOn(since: moment, on: loop)
    case .enroll: return await enroll(since: moment, on: loop)
    case .idle: return false
    }
    return true
  }

  private func connectAndCheck(
    _ operation: Operation, since moment: MonotonicInstant, on loop: isolated EventLoop
  ) async {
    let isResuming = operation == .resume && session != nil
    do throws(ConnectionFailure) {
      // A session goes with one identity, so a worker that resumes keeps its own.
      let identity = operation == .resume ? identity(0) : identity(turn)
      turn += 1
      let connection = try await LoadConnection.open(
        to: job.target, for: number, as: identity, resuming: isResuming ? session : nil, on: loop)
      defer { connection.close(on: loop) }
      let answer = try await connection.exchange(job.check, on: loop)
      if operation == .resume { session = connection.session }
      if answer.status != 200 {
        crew.failed(operation, answer.reason)
      } else if isResuming && !connection.isResumed {
        crew.failed(operation, "a full handshake: the session was not resumed")
      } else {
        crew.succeeded(isResuming ? .resume : .connect, since: moment)
      }
    } catch { await failed(operation, error, on: loop) }
  }

  /// One request on the connection that stands; whether it was answered as wanted.
  @discardableResult
  private func ask(
    _ operation: Operation, _ request: [UInt8], wanting status: Int, since moment: MonotonicInstant,
    on loop: isolated EventLoop
  ) async -> Bool {
    guard let connection = await connected(on: loop) else { return false }
    do throws(ConnectionFailure) {
      let answer = try await connection.exchange(request, on: loop)
      if answer.status == status {
        crew.succeeded(operation, since: moment)
      } else {
        crew.failed(operation, answer.reason)
      }
      if !answer.keepsAlive { disconnect(on: loop) }
      return answer.status == status
    } catch {
      disconnect(on: loop)
      await failed(operation, error, on: loop)
      return false
    }
  }

  /// A day: connect and claim, work, release and leave.
  private func liveOn(since moment: MonotonicInstant, on loop: isolated EventLoop) async {
    switch step {
    case 0:
      guard await connected(countedSince: moment, on: loop) != nil else { return }
    case 1:
      guard await ask(.claim, job.claim, wanting: 201, since: moment, on: loop) else {
        return beginAnew(on: loop)
      }
    case Self.requestsOfDay + 2:
      await ask(.release, job.release, wanting: 204, since: moment, on: loop)
      return beginAnew(on: loop)
    case let request:
      let isRenewal = request.isMultiple(of: 4)
      let isDone = await ask(
        isRenewal ? .renew : .check, isRenewal ? job.claim : job.check, wanting: 200, since: moment, on: loop)
      if !isDone { return beginAnew(on: loop) }
    }
    step += 1
  }

  /// The next device's day.
  private func beginAnew(on loop: isolated EventLoop) {
    disconnect(on: loop)
    step = 0
    turn += 1
  }

  private func enroll(since moment: MonotonicInstant, on loop: isolated EventLoop) async -> Bool {
    guard let request = try? job.enrollment?.next(to: job.target) else { return false }
    await ask(.enroll, request, wanting: 201, since: moment, on: loop)
    return true
  }

  // MARK: The connection

  /// The connection that stands, or a new one; nil when none can be had now. With a moment, a new one is timed.
  private func connected(
    countedSince moment: MonotonicInstant? = nil, on loop: isolated EventLoop
  ) async -> LoadConnection? {
    if let connection { return connection }
    do throws(ConnectionFailure) {
      let identity = job.work == .enroll ? nil : identity(turn)
      let fresh = try await LoadConnection.open(to: job.target, for: number, as: identity, on: loop)
      connection = fresh
      crew.openConnections += 1
      if let moment { crew.succeeded(.connect, since: moment) }
      return fresh
    } catch {
      await failed(.connect, error, on: loop)
      return nil
    }
  }

  private func disconnect(on loop: isolated EventLoop) {
    guard let connection else { return }
    connection.close(on: loop)
    crew.openConnections -= 1
    self.connection = nil
  }

  /// A server that refuses connections is not asked again at once.
  private func failed(
    _ operation: Operation, _ failure: ConnectionFailure, on loop: isolated EventLoop
  ) async {
    crew.failed(operation, failure.reason)
    await crew.alarm.sleep(until: .now.advanced(by: .milliseconds(50)), on: loop)
  }

  private func identity(_ turn: Int) -> LoadIdentity {
    job.identities[number % job.identities.count + turn % identitiesOfMine * job.workers]
  }
}

extension AnswerScanner.Answer {
  /// The status, and the problem's code where there is one.
  fileprivate var reason: String {
    if case .string(let code)? = (try? JSONValue(parsing: Array(body)))?["code"] {
      return "\(status) \(code)"
    }
    return "\(status)"
  }
}
