internal import Reactor

/// One run: a job on so many connections for so long.
package struct LoadRun: Sendable {
  /// What a run does, and how hard.
  package struct Plan: Sendable {
    package var work: Work
    package var product: String
    package var connections: Int
    /// Operations each second, over all connections; nil: as many as go.
    package var rate: Double?
    package var length: Duration
    /// The threads of the generator.
    package var loops: Int

    package init(
      _ work: Work, product: String, connections: Int, rate: Double? = nil, length: Duration, loops: Int
    ) {
      self.work = work
      self.product = product
      self.connections = connections
      self.rate = rate
      self.length = length
      self.loops = loops
    }
  }

  private let plan: Plan
  private let job: Job
  /// The servers' processes where they are on this machine, to see what they use.
  private let servers: [Int32]

  package init(
    _ plan: Plan, target: Target, identities: [LoadIdentity], enrollment: EnrollmentSupply? = nil,
    servers: [Int32]
  ) {
    self.plan = plan
    self.servers = servers
    job = Job(
      plan.work, target: target, product: plan.product, identities: identities, workers: plan.connections,
      pace: Pace(rate: plan.rate, length: plan.length), enrollment: enrollment)
  }

  /// Ends it before its time; what was measured until then is reported.
  package func stop() { job.pace.stop() }

  /// Runs to the end. `progress` is told of each second.
  package func run(progress: @escaping @Sendable (Report.Second) -> Void) async throws(LoadFailure) -> Report
  {
    let before = ProcessUsage(of: servers)
    do {
      let group = try EventLoopGroup(count: min(plan.loops, plan.connections), name: "load")
      defer { group.shutdown() }
      var crews: [LoopBound<Crew>] = []
      for loop in group.loops { crews.append(try await makeCrew(on: loop)) }
      return try await withThrowingTaskGroup(of: Void.self) { workers in
        for number in 0..<plan.connections {
          let crew = crews[number % crews.count]
          workers.addTask { await work(number, crew, on: crew.loop) }
        }
        await job.line.complete()
        var measurement = await measure(crews, before, progress)
        try await workers.waitForAll()
        // What had begun by then counts too: a server that held it up would be spared it.
        measurement.addRest(await take(crews).tally)
        for crew in crews { await dismiss(crew, on: crew.loop) }
        return measurement.report
      }
    } catch { throw LoadFailure("the generator failed: \(error)") }
  }

  private func makeCrew(on loop: isolated EventLoop) throws(SystemError) -> LoopBound<Crew> {
    LoopBound(try Crew(on: loop), on: loop)
  }

  private func work(_ number: Int, _ crew: LoopBound<Crew>, on loop: isolated EventLoop) async {
    await Worker(number, job, crew.get(on: loop)).run(on: loop)
  }

  private func dismiss(_ crew: LoopBound<Crew>, on loop: isolated EventLoop) {
    crew.get(on: loop).alarm.close(on: loop)
  }

  private func take(_ crew: LoopBound<Crew>, on loop: isolated EventLoop) -> (tally: Tally, open: Int) {
    let crew = crew.get(on: loop)
    return (crew.take(), crew.openConnections)
  }

  /// What has happened since the last time, and how many connections are open.
  private func take(_ crews: [LoopBound<Crew>]) async -> (tally: Tally, open: Int) {
    var (tally, open) = (Tally(), 0)
    for crew in crews {
      let part = await take(crew, on: crew.loop)
      tally.add(part.tally)
      open += part.open
    }
    return (tally, open)
  }

  private func wait(_ crew: LoopBound<Crew>, until moment: MonotonicInstant, on loop: isolated EventLoop)
    async
  {
    await crew.get(on: loop).alarm.sleep(until: moment, on: loop)
  }

  /// Looks once a second, until the clock runs out.
  private func measure(
    _ crews: [LoopBound<Crew>], _ before: ProcessUsage?, _ progress: (Report.Second) -> Void
  ) async -> Measurement {
    var report = Report(plan, before: before)
    // What went wrong while workers got ready is told, and not timed.
    report.preparation.add(await take(crews).tally)
    var measurement = Measurement(report, of: servers)
    job.pace.start()
    job.line.open()
    while !job.pace.isOver {
      let tick = min(measurement.last.advanced(by: .seconds(1)), job.pace.end)
      await wait(crews[0], until: tick, on: crews[0].loop)
      let (tally, open) = await take(crews)
      progress(measurement.add(tally, openConnections: open))
    }
    return measurement
  }
}
