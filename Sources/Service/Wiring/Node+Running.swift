import Directory
import Postgres
import Reactor
import Server
import Telemetry

extension Node {
  /// Serves until SIGTERM or SIGINT (or cancellation), then drains and returns. SIGHUP reads the server's certificate
  /// again.
  ///
  /// `ready` is called once, when requests can be answered. Thrown: a `StartFailure` when the database's schema is not
  /// this program's, and whatever ends a listener.
  public func run(ready: @escaping @Sendable () async -> Void) async throws {
    defer {
      loops.shutdown()
      feedLoops.shutdown()
    }
    let signals = try await ProcessSignals.catchAll(on: loops.loops[0])
    let result = await withTaskGroup(of: Void.self) { background in
      background.addTask { await self.follower.run() }
      background.addTask { await self.sweepNowAndThen() }
      background.addTask { await self.lookUpStrangers() }
      background.addTask { await self.revocation.run() }
      background.addTask { await self.recordRefusals() }
      background.addTask { await self.writeUses() }
      background.addTask { await self.leaseKeys.run() }
      background.addTask { await self.sealing.run() }
      background.addTask { await self.deliveries.run() }
      background.addTask {
        // Before anything is written: a partition that is made refuses rows on their way into the default one.
        let pause = await self.housekeeping.attempt()
        if await self.becomesFresh() { await ready() }
        await self.housekeeping.run(after: pause)
      }
      // Everything in the background goes on while the listeners drain.
      defer { background.cancelAll() }
      do {
        try await self.serve(until: signals)
        await tally.record(in: units)
        await tokenUses.write()
        await sightings.write()
        return Result<Void, any Error>.success(())
      } catch {
        return .failure(error)
      }
    }
    await notifications.close()
    await feed.close()
    await database.close()
    try result.get()
  }

  /// Ends when the first of its tasks does: the signals when they say so, the others only by a fault.
  private func serve(until signals: AsyncStream<ProcessSignal>) async throws {
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask { await self.obey(signals) }
      tasks.addTask { try await self.schema.watch() }
      for listener in listeners { tasks.addTask { try await listener.run() } }
      do {
        try await tasks.next()
      } catch {
        stopServing()
        tasks.cancelAll()
        while await tasks.nextResult() != nil {}
        throw error
      }
      logger.info("stopping: no new connections, what is in flight is answered")
      stopServing()
      tasks.cancelAll()
      try await tasks.waitForAll()
    }
  }

  /// Whoever waits is answered at once, so that draining does not wait for them.
  private func stopServing() {
    lifecycle.drain()
    watches.close()
  }

  private func obey(_ signals: AsyncStream<ProcessSignal>) async {
    for await signal in signals {
      switch signal {
      case .terminate, .interrupt: return
      case .hangUp:
        do {
          try credentials?.reload()
          logger.info("the server certificate was read again")
        } catch {
          logger.error("the server certificate was not changed", ["error": .text("\(error)")])
        }
      }
    }
  }

  /// Waits for the first reading of the database; false when cancelled before.
  private func becomesFresh() async -> Bool {
    while health.freshness() != .fresh {
      guard (try? await loops.loops[0].sleep(for: .milliseconds(20))) != nil else { return false }
    }
    return true
  }

  /// Certificates run out without anybody changing anything.
  private func sweepNowAndThen() async {
    while (try? await loops.loops[0].sleep(for: .milliseconds(500))) != nil { sweeper.sweep() }
  }

  private func lookUpStrangers() async {
    while (try? await loops.loops[0].sleep(for: .milliseconds(250))) != nil {
      await sweeper.lookUpStrangers()
    }
  }

  private func writeUses() async {
    while (try? await loops.loops[0].sleep(for: .seconds(60))) != nil {
      await tokenUses.write()
      await sightings.write()
    }
  }

  private func recordRefusals() async {
    while (try? await loops.loops[0].sleep(for: .seconds(60))) != nil { await tally.record(in: units) }
  }
}
