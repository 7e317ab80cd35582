import Cryptography
import Fixtures
import Foundation
import PKIX
import Reactor
import Testing

/// Many at once, over HTTP, on two servers that are killed and whose clocks jump: what everyone was told must be what one
/// after the other would have been told.
@Suite(.timeLimit(.minutes(10))) struct ServerHistoryTests {
  private static let seats = 4
  private static let people = 10
  private static let operations = 2000

  @Test(.enabled(if: ServerClock.library != nil, "it takes Debian's package faketime"))
  func `operations over killed servers and jumping clocks are as if one after the other`() async throws {
    let installation = try Installation()
    let servers = try (0..<2).map { _ in try HistoryServer(of: installation) }
    defer { for server in servers { server.stop() } }
    let tenant = try installation.makeTenant(seats: Self.seats, authority: false)
    let authority = try ExternalCA(.root(), of: tenant).authority
    let key = try PrivateKey(generating: .p256)
    let contexts = try (0..<Self.people).map { person in
      try installation.clientContext(
        authority.leaf("device-\(person)", key: key) {
          $0.names = [.uri(Array("urn:device:\(person)".utf8))]
        })
    }
    let answers = Lock(0)
    // Each through both servers at once.
    let recorded = try await atOnce(Self.people * 2) { place in
      let person = place / 2
      var calls: [SeatCall] = []
      var connection = servers[place % 2].connect(contexts[person])
      var random = SystemRandomNumberGenerator()
      var last: Int64 = 0
      while answers.withLock({ $0 }) < Self.operations {
        let question: SeatCall.Question =
          switch Int.random(in: 0..<4, using: &random) {
          case 0: .release
          case 1 where last > 0: .renew(last)
          default: .claim
          }
        let start = MonotonicInstant.now.nanoseconds
        let told = connection.ask(question, path: "/v1/seats/\(tenant.product)")
        let end = MonotonicInstant.now.nanoseconds
        if told == nil { connection = servers[place % 2].connect(contexts[person]) }
        guard let answer = try told.map({ try question.answer($0) }) ?? .unknown else { continue }
        calls.append(SeatCall(question, answer, start, end))
        switch answer {
        case .granted(let generation), .renewed(let generation): last = generation
        case .refused, .lost, .released, .found, .unknown: break
        }
        let count = answers.withLock {
          $0 += 1
          return $0
        }
        let (fault, rest) = count.quotientAndRemainder(dividingBy: Self.operations / 8)
        if rest == 0, fault < 8 { try Self.damage(fault, servers) }
      }
      return calls
    }
    let kept = try tenant.seats()
    var holds: [SeatHistory.Hold] = []
    for person in 0..<Self.people {
      let now = MonotonicInstant.now.nanoseconds
      let calls = recorded[person * 2] + recorded[person * 2 + 1]
      let history = SeatHistory(calls + [SeatCall(.look, .found(kept[person]), now, now + 1)])
      let order = history.explanation()
      #expect(order != nil, "person \(person): \(calls.count) calls")
      holds += history.holds(in: order ?? [])
    }
    let sure = holds.map(\.sure).filter { !$0.isEmpty }
    #expect(sure.count > 20, "too little is sure to say anything")
    #expect(Occupancy(sure).most <= Self.seats, "more held seats than there are")
    let possible = Occupancy(holds.map(\.possible))
    let all = recorded.joined()
    let refused = all.filter { $0.answer == .refused }
    #expect(refused.allSatisfy { possible.most(in: $0.start...$0.end) >= Self.seats })
    let generations = all.compactMap { if case .granted(let new) = $0.answer { new } else { nil } }
    #expect(Set(generations).count == generations.count, "a generation was granted twice")
    #expect(refused.count > 20 && generations.count > 20)
    #expect(try installation.sql("SELECT count(*) FROM license_counter WHERE in_use > seats") == "0")
    print(
      "history over HTTP: \(all.count) calls, \(generations.count) granted (\(sure.count) surely held, "
        + "\(Occupancy(sure).most) at once), \(refused.count) refused, "
        + "\(all.count { $0.answer == .unknown }) without an answer")
  }

  /// Devices' certificates are an hour old and last a day.
  private static func damage(_ fault: Int, _ servers: [HistoryServer]) throws {
    let server = servers[fault % 2]
    switch fault % 4 {
    case 0, 3: try server.crash()
    case 1: try server.advance(bySeconds: 2 * 3600)
    case _: try server.advance(bySeconds: -50 * 60)
    }
  }
}

extension HeldConnection {
  /// The answer; nil when the connection ended before it.
  fileprivate func ask(_ question: SeatCall.Question, path: String) -> String? {
    let (method, fields) =
      switch question {
      case .claim, .look: ("PUT", "Content-Length: 0\r\n")
      case .renew(let generation): ("PUT", "If-Match: \"\(generation)\"\r\nContent-Length: 0\r\n")
      case .release: ("DELETE", "")
      }
    return send(method, path, fields) ? (try? answer()) ?? nil : nil
  }
}

extension SeatCall.Question {
  /// What an answer over HTTP says; nil: nothing was done.
  fileprivate func answer(_ text: String) throws -> SeatCall.Answer? {
    let generation = text.firstMatch(of: /"generation":\s*(\d+)/).flatMap { Int64($0.1) }
    switch (text.split(separator: " ").dropFirst().first.flatMap { Int($0) }, generation) {
    case (201, let generation?): return .granted(generation)
    case (200, let generation?): return .renewed(generation)
    case (204, _): return .released
    case (409, _) where text.contains("no-seat-available"): return .refused
    case (412, _): return .lost
    case (503, _): return text.contains("may or may not") ? .unknown : nil
    case _: throw Shell.Failure("\(self): \(text)")
    }
  }
}
