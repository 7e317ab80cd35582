import HTTP
import Testing

@testable import Server

@Suite struct ConnectionMachineTests {
  /// A step without what cannot be compared.
  enum Said: Equatable, CustomStringConvertible {
    case read, goOn
    case ask(String)
    case answer(String)
    case refuse(Int)
    case wait, finish, close

    init(_ step: ConnectionMachine.Step) {
      switch step {
      case .read: self = .read
      case .goOn: self = .goOn
      case .ask(let request): self = .ask(request.path)
      case .answer(let request): self = .answer(request.path)
      case .refuse(let failure): self = .refuse(failure.status)
      case .wait: self = .wait
      case .finish: self = .finish
      case .close: self = .close
      }
    }

    var description: String {
      switch self {
      case .read: "read"
      case .goOn: "goOn"
      case .ask(let path): "ask \(path)"
      case .answer(let path): "answer \(path)"
      case .refuse(let status): "refuse \(status)"
      case .wait: "wait"
      case .finish: "finish"
      case .close: "close"
      }
    }
  }

  /// What happens to a connection, and the machine's word on it.
  enum Event {
    case secured, ended, nothing
    case answered(stays: Bool)
    case flushed, timedOut, drain, dismiss
    case permitted, refused
    case received(String)
  }

  private static func get(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n" }

  private func play(_ transcript: [(Event, Said?)], isSecure: Bool = false) {
    var limits = RequestLimits(body: 10)
    limits.longBodies = [.init(.put, pathEnd: "/long", bytes: 20)]
    var machine = ConnectionMachine(isSecure: isSecure, limits: limits)
    for (index, (event, expected)) in transcript.enumerated() {
      let said: Said? =
        switch event {
        case .secured: Said(machine.secured())
        case .received(let text): Said(receive(text, &machine))
        case .ended: Said(machine.inputEnded())
        case .nothing: Said(machine.foundNothing())
        case .flushed: Said(machine.flushed())
        case .timedOut: Said(machine.timedOut())
        case .drain: Said(machine.drain())
        case .dismiss: Said(machine.dismiss())
        case .permitted: Said(machine.permitted())
        case .refused:
          {
            machine.refused()
            return nil
          }()
        case .answered(let stays):
          {
            machine.answered(stays: stays)
            return nil
          }()
        }
      #expect(said == expected, "event \(index): \(event)")
    }
  }

  private func receive(_ text: String, _ machine: inout ConnectionMachine) -> ConnectionMachine.Step {
    let bytes = Array(text.utf8)
    return machine.received(bytes.span)
  }

  @Test func `a kept connection answers one request after the other`() {
    play(
      [
        (.secured, .read),
        (.received(Self.get("/1")), .answer("/1")), (.answered(stays: true), nil), (.flushed, .read),
        (.received(Self.get("/2")), .answer("/2")), (.answered(stays: true), nil), (.flushed, .read),
        (.ended, .finish),
      ], isSecure: true)
  }

  @Test func `pipelined requests are answered in order, one in flight`() {
    let three = Self.get("/1") + Self.get("/2") + Self.get("/3")
    play([
      (.received(String(three.dropLast(5))), .answer("/1")),
      (.answered(stays: true), nil), (.flushed, .answer("/2")),
      (.answered(stays: true), nil), (.flushed, .read),
      (.received(String(three.suffix(5))), .answer("/3")),
      (.answered(stays: true), nil), (.flushed, .read),
    ])
  }

  @Test func `after an answer that closes nothing is answered any more`() {
    play([
      (.received(Self.get("/1") + Self.get("/2")), .answer("/1")), (.answered(stays: false), nil),
      (.flushed, .finish), (.received(Self.get("/3")), .wait),
    ])
  }

  @Test func `a client that expects it is told to go on, unless the body is there`() {
    let head = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n"
    play([(.received(head), .goOn), (.received("abc"), .answer("/"))])
    play([(.received(head + "abc"), .answer("/"))])
  }

  @Test func `a long body is taken when the application permits it, and not before`() {
    let head = "PUT /long HTTP/1.1\r\nHost: a\r\nContent-Length: 12\r\n"
    let body = "abcdefghijkl"
    play([
      (.received(head + "\r\n"), .ask("/long")), (.timedOut, .wait), (.permitted, .read),
      (.received(body), .answer("/long")), (.answered(stays: true), nil), (.flushed, .read),
    ])
    play([
      (.received(head + "Expect: 100-continue\r\n\r\n"), .ask("/long")), (.permitted, .goOn),
      (.received(body), .answer("/long")),
    ])
    // What came with the head waits, and a further request behind it.
    play([
      (.received(head + "\r\n" + body + Self.get("/2")), .ask("/long")), (.permitted, .answer("/long")),
      (.answered(stays: true), nil), (.flushed, .answer("/2")),
    ])
    play([
      (.received(head + "\r\n" + body + Self.get("/2")), .ask("/long")), (.refused, nil),
      (.answered(stays: true), nil), (.flushed, .finish), (.received(Self.get("/3")), .wait),
    ])
    // The server ends meanwhile: it is the last one here.
    play([
      (.received(head + "\r\n"), .ask("/long")), (.drain, .wait), (.permitted, .read),
      (.received(body), .answer("/long")), (.answered(stays: true), nil), (.flushed, .finish),
    ])
  }

  @Test(arguments: [
    ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n", 413),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
    ("POST / HTTP/1.1\r\nHost: a\r\nExpect: tea\r\nContent-Length: 1\r\n\r\n", 417),
  ])
  func `what is no request is refused, as the last word`(text: String, status: Int) {
    play([
      (.received(Self.get("/1") + text), .answer("/1")), (.answered(stays: true), nil),
      (.flushed, .refuse(status)), (.answered(stays: true), nil), (.flushed, .finish),
    ])
  }

  @Test func `time runs out by what is awaited`() {
    play([(.timedOut, .close)], isSecure: true)
    play([(.timedOut, .finish)])
    play([
      (.received("GET / HT"), .read), (.timedOut, .refuse(408)), (.answered(stays: true), nil),
      (.flushed, .finish),
    ])
    play([
      (.received("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\na"), .read),
      (.timedOut, .refuse(408)),
    ])
    play([(.received(Self.get("/")), .answer("/")), (.timedOut, .wait)])
    play([(.received(Self.get("/")), .answer("/")), (.answered(stays: true), nil), (.timedOut, .close)])
  }

  @Test func `each time-out begins with what it is for, and with every request anew`() {
    var machine = ConnectionMachine(isSecure: true, limits: RequestLimits())
    var seen: [ConnectionMachine.Due?] = [machine.due]
    _ = machine.secured()
    for text in ["", "P", "OST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n", "a", "b"] {
      if !text.isEmpty { _ = receive(text, &machine) }
      seen.append(machine.due)
    }
    machine.answered(stays: true)
    seen.append(machine.due)
    _ = machine.flushed()
    seen.append(machine.due)
    typealias Due = ConnectionMachine.Due
    #expect(
      seen == [
        Due(timeout: .handshake, request: 0), Due(timeout: .idle, request: 0),
        Due(timeout: .header, request: 0),
        Due(timeout: .body, request: 0), Due(timeout: .body, request: 0), nil,
        Due(timeout: .write, request: 1),
        Due(timeout: .idle, request: 1),
      ])
  }

  @Test func `a drain ends what is idle after one more look, and what is busy after its answer`() {
    play([(.drain, .close)], isSecure: true)
    play([(.drain, .read), (.nothing, .finish)])
    play([
      (.drain, .read), (.received(Self.get("/")), .answer("/")), (.answered(stays: true), nil),
      (.flushed, .finish),
    ])
    play([(.received("GET"), .read), (.drain, .read), (.nothing, .wait)])
    play([
      (.received(Self.get("/1") + Self.get("/2")), .answer("/1")), (.drain, .wait),
      (.answered(stays: true), nil),
      (.flushed, .finish),
    ])
    play([
      (.received(Self.get("/1")), .answer("/1")), (.answered(stays: true), nil), (.drain, .wait),
      (.flushed, .finish),
    ])
  }

  @Test func `only an idle connection is dismissed`() {
    play([(.dismiss, .finish)])
    play([(.received("G"), .read), (.dismiss, .wait)])
    play([(.received(Self.get("/")), .answer("/")), (.dismiss, .wait)])
    play([(.dismiss, .wait)], isSecure: true)
  }

  @Test func `a request that was not sent to its end is nobody's`() {
    play([(.received("GET / HTTP/1.1\r\n"), .read), (.ended, .finish)])
  }
}
