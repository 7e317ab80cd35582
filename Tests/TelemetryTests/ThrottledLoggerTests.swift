import Testing

@testable import Telemetry

@Suite struct ThrottledLoggerTests {
  let start = ContinuousClock.now

  @Test func `each key gets one line in an interval, and the next says how many it stood for`() throws {
    let pipe = try LogPipe()
    let logger = ThrottledLogger(
      Logger("t", writer: LogWriter(descriptor: pipe.writing)), interval: .seconds(10))
    for second in 0..<10 {
      logger.log(.info, key: "unknown_ca", "refused", ["second": .init(second)], at: start + .seconds(second))
      logger.log(.info, key: "expired", "refused", at: start + .seconds(second))
    }
    logger.log(.info, key: "unknown_ca", "refused", at: start + .seconds(10))
    #expect(
      pipe.lines() == [
        "level=info logger=t message=refused second=0",
        "level=info logger=t message=refused",
        "level=info logger=t message=refused suppressed=9",
      ])
  }

  @Test func `the keys remembered are bounded, and forgotten in time`() throws {
    let pipe = try LogPipe()
    let logger = ThrottledLogger(
      Logger("t", writer: LogWriter(descriptor: pipe.writing)), interval: .seconds(10), capacity: 3)
    for key in 0..<100 { logger.log(.info, key: "\(key)", "refused", at: start) }
    #expect(pipe.lines().count == 3)
    logger.log(.info, key: "another", "refused", at: start + .seconds(10))
    #expect(pipe.lines() == ["level=info logger=t message=refused"])
  }

  @Test func `what is below the level takes no key`() throws {
    let pipe = try LogPipe()
    let logger = ThrottledLogger(Logger("t", writer: LogWriter(descriptor: pipe.writing)))
    logger.log(.debug, key: "a", "detail", at: start)
    logger.log(.info, key: "a", "heard", at: start)
    #expect(pipe.lines() == ["level=info logger=t message=heard"])
  }
}
