import Reactor

extension PostgresConnection {
  func begin() {
    guard case .idle = phase else { return }
    let first = hostOrder.first
    if configuration.needsNameServer {
      phase = .resolving
      planConnectTimer()
      NameResolver.resolve(configuration, from: first) { result in
        self.loop.submit { _ in self.assumeIsolated { $0.resolved(result) } }
      }
    } else {
      phase = .resolving
      resolved(Result { () throws(PostgresError) in try configuration.candidates(from: first) })
    }
  }

  private func resolved(_ result: Result<[PostgresConfiguration.Candidate], PostgresError>) {
    guard case .resolving = phase else { return }
    switch result {
    case .success(let candidates):
      self.candidates = candidates.reversed()
      attemptNext()
    case .failure(let error): end(error)
    }
  }

  /// Begins an attempt at the next address.
  private func attemptNext() {
    unwatch()
    link = nil
    guard let candidate = candidates.last else {
      return end(.unavailable(attempts.joined(separator: "; ")))
    }
    guard let link = PQConnection(options: configuration.options(for: candidate)) else {
      return end(.unavailable("out of memory"))
    }
    guard link.isStarting else {
      attempts.append(link.errorMessage)
      candidates.removeLast()
      return attemptNext()
    }
    self.link = consume link
    planConnectTimer()
    // As if `poll` had just asked to write.
    phase = .connecting(isReading: false)
    watch()
  }

  private func planConnectTimer() {
    cancel(&connectTimer)
    connectTimer = schedule(at: now.advanced(by: configuration.connectTimeout)) {
      $0.connectTimer = nil
      $0.failAttempt("no answer within \($0.configuration.connectTimeout)")
    }
  }

  private func failAttempt(_ reason: String) {
    switch phase {
    case .resolving: end(.unavailable("the database's name was not found: \(reason)"))
    case .connecting, .settingUp:
      guard let candidate = candidates.popLast() else { return }
      attempts.append("\(candidate.host.name):\(candidate.host.port): \(reason)")
      if case .settingUp = phase {
        end(.unavailable(attempts.joined(separator: "; ")))
      } else {
        attemptNext()
      }
    case .idle, .ready, .simple, .closed: break
    }
  }

  /// Lets libpq take its next step.
  func poll() {
    guard let progress = link?.poll() else { return }
    switch progress {
    case .reading:
      phase = .connecting(isReading: true)
      watch()
    case .writing:
      phase = .connecting(isReading: false)
      watch()
    case .failed(let reason): failAttempt(reason)
    case .connected: connected()
    }
  }

  private func connected() {
    guard link?.enterPipeline() == true else { return failAttempt("no pipeline mode") }
    phase = .settingUp
    watch()
    send(
      SetupOperation { verdict in self.assumeIsolated { $0.setUp(verdict) } },
      SessionSetup(settings: configuration.settings(for: role)), timing: .alone)
  }

  private func setUp(_ verdict: Verdict) {
    guard case .settingUp = phase else { return }
    switch verdict {
    case .succeeded, .doubtful:
      cancel(&connectTimer)
      phase = .ready
      if let host = candidates.last?.host, let index = configuration.hosts.firstIndex(of: host) {
        hostOrder.worked(index)
      }
      candidates = []
      attempts = []
      onEvent?(.opened)
    case .failed(let error): end(.unavailable("\(error)"))
    case .notRun: end(.unavailable("the session could not be set up"))
    case .lost, .notSent: break
    }
  }
}

/// The settings of a session, which nobody waits for.
private final class SetupOperation: Operation {
  private let done: (Verdict) -> Void

  init(_ done: @escaping (Verdict) -> Void) { self.done = done }

  override func settle(_ verdict: Verdict) { done(verdict) }
}
