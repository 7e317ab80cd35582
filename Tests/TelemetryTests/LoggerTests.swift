import Testing

@testable import Telemetry

@Suite struct LoggerTests {
  @Test func `a line has its time, level, logger, message and fields`() throws {
    let pipe = try LogPipe()
    let logger = Logger("server", writer: LogWriter(descriptor: pipe.writing))
    logger.info("listening", ["address": "127.0.0.1", "port": 8443, "tls": true])
    let line = pipe.text()
    #expect(line.wholeMatch(of: /time=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z level=info .*\n/) != nil)
    #expect(
      line.hasSuffix("level=info logger=server message=listening address=127.0.0.1 port=8443 tls=true\n"))
  }

  @Test func `a line can be a JSON object`() throws {
    let pipe = try LogPipe()
    let logger = Logger("server", writer: LogWriter(format: .json, descriptor: pipe.writing))
    logger.warning("refused", ["subject": "CN=\"a\"\n", "count": 2, "resumed": false])
    #expect(
      pipe.text().hasSuffix(
        #""level":"warning","logger":"server","message":"refused","subject":"CN=\"a\"\n","count":2,"resumed":false}"#
          + "\n"))
  }

  @Test func `what is below the level is not written, and its fields are not made`() throws {
    let pipe = try LogPipe()
    let logger = Logger("server", level: .warning, writer: LogWriter(descriptor: pipe.writing))
    func fields() -> Logger.Fields {
      Issue.record("made for nothing")
      return [:]
    }
    logger.debug("detail", fields())
    logger.info("listening", fields())
    logger.error("failed")
    #expect(pipe.lines() == ["level=error logger=server message=failed"])
  }

  @Test func `another label writes to the same place`() throws {
    let pipe = try LogPipe()
    let logger = Logger("server", writer: LogWriter(descriptor: pipe.writing)).labeled("store")
    logger.info("connected")
    #expect(pipe.lines() == ["level=info logger=store message=connected"])
  }

  @Test(arguments: [
    ("plain", "value=plain"),
    ("", #"value="""#),
    ("two words", #"value="two words""#),
    ("CN=device,O=Acme", #"value="CN=device,O=Acme""#),
    ("x\nlevel=error logger=forged", #"value="x\nlevel=error logger=forged""#),
    (#"" level=error"#, #"value="\" level=error""#),
    (#"\"#, #"value="\\""#),
    ("\r\t\u{0}\u{1b}[31m\u{7f}", #"value="\r\t\u0000\u001b[31m\u007f""#),
    ("\u{85}\u{9b}", #"value="\u0085\u009b""#),
    ("\u{2028}\u{2029}", #"value="\u2028\u2029""#),
    ("\u{202e}evil\u{2066}", #"value="\u202eevil\u2066""#),
    ("\u{feff}\u{e000}\u{e0041}", #"value="\ufeff\ue000\udb40\udc41""#),
    ("Zoë 座席 🎟", #"value="Zoë 座席 🎟""#),
  ])
  func `no value leaves its quotes or its line`(value: String, expected: String) throws {
    let pipe = try LogPipe()
    Logger("t", writer: LogWriter(descriptor: pipe.writing)).info("m", ["value": .text(value)])
    #expect(pipe.lines() == ["level=info logger=t message=m " + expected])
  }

  @Test(arguments: LogFormat.allCases)
  func `a line is bounded, whatever its values are`(format: LogFormat) throws {
    let pipe = try LogPipe()
    let long = String(repeating: "\u{0}", count: 100_000)
    Logger("t", writer: LogWriter(format: format, descriptor: pipe.writing)).info(
      "m",
      [
        "a": .text(long), "b": .text(long), "c": .text(long), "d": .text(long), "e": .text(long), "f": 1,
      ])
    let text = pipe.text()
    #expect(text.utf8.count <= LogLine.longest)
    #expect(text.contains("…"))
    #expect(text.contains(format == .json ? #""truncated":true"# : "truncated=true"))
    #expect(text.filter { $0 == "\n" }.count == 1)
  }

  @Test func `a full pipe drops lines instead of waiting, and says so later`() throws {
    let pipe = try LogPipe()
    let logger = Logger("t", writer: LogWriter(descriptor: pipe.writing))
    let written = 2000
    for index in 0..<written { logger.info("m", ["index": .init(index)]) }
    let first = pipe.lines()
    #expect(first.count < written)
    logger.info("again")
    let rest = pipe.lines()
    #expect(
      rest == [
        #"level=warning logger=log message="lines were dropped because nobody read them" lines="#
          + "\(written - first.count)",
        "level=info logger=t message=again",
      ])
  }

  @Test func `the silent logger says nothing`() {
    Logger.silent.error("nobody hears")
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000007Z"),
    (951_782_400, "2000-02-29T00:00:00.000007Z"),
    (1_709_164_800, "2024-02-29T00:00:00.000007Z"),
    (1_796_000_523, "2026-11-30T01:02:03.000007Z"),
    (4_107_542_399, "2100-02-28T23:59:59.000007Z"),
    (4_107_542_400, "2100-03-01T00:00:00.000007Z"),
  ])
  func `times are RFC 3339 in UTC`(seconds: Int64, text: String) {
    #expect(Timestamp(secondsSince1970: seconds, microseconds: 7).description == text)
  }
}
