/// Whether the calls of one identity can be put into one order, each somewhere between its start and its end, in which
/// every answer is right (Wing and Gong; the memory of states is Lowe's).
///
/// Calls that got no answer may be anywhere after their start, or nowhere. Of those that would do the same any one will
/// do, so that only their number is remembered.
public struct SeatHistory {
  /// When a seat was held, at least and at most; a bound that is not known is the end of time.
  public struct Hold {
    public fileprivate(set) var sure: Range<Int64>
    public fileprivate(set) var possible: Range<Int64>
    /// When the last call began that found this very seat: a generation never comes back, so it was held all the time.
    fileprivate var lastFound = Int64.min
  }

  private enum Holding: Hashable {
    case nothing
    case seat(Int64)
    /// Granted to a call that did not hear of it.
    case unheard
  }

  private struct Place: Hashable {
    /// All answered calls before this one are in the order, and these after it.
    var first = 0
    var further: [Int] = []
    var unansweredClaims = 0
    var unansweredReleases = 0
    var holding = Holding.nothing
    /// Generations only grow: no new seat has one that was there before.
    var generation: Int64 = 0
  }

  private let answered: [SeatCall]
  private let claims: [SeatCall]
  private let releases: [SeatCall]

  public init(_ calls: [SeatCall]) {
    let sorted = calls.sorted { $0.start < $1.start }
    answered = sorted.filter { $0.answer != .unknown }
    claims = sorted.filter { $0.answer == .unknown && $0.question == .claim }
    releases = sorted.filter { $0.answer == .unknown && $0.question == .release }
  }

  /// An order that explains every answer; nil when there is none.
  public func explanation() -> [SeatCall]? {
    var seen: Set<Place> = []
    var stack: [(place: Place, next: [(Place, SeatCall)])] = []
    stack.append((Place(), steps(from: Place())))
    while let top = stack.last {
      if top.place.first == answered.count { return stack.dropLast().compactMap { $0.next.last?.1 } }
      guard let (place, _) = top.next.last else {
        stack.removeLast()
        if !stack.isEmpty { stack[stack.count - 1].next.removeLast() }
        continue
      }
      if seen.insert(place).inserted {
        stack.append((place, steps(from: place)))
      } else {
        stack[stack.count - 1].next.removeLast()
      }
    }
    return nil
  }

  /// What may come next, the likeliest last.
  private func steps(from place: Place) -> [(Place, SeatCall)] {
    var deadline = Int64.max
    var open: [Int] = []
    for index in place.first..<answered.count where !place.further.contains(index) {
      if answered[index].start > deadline { break }
      open.append(index)
      deadline = min(deadline, answered[index].end)
    }
    var steps: [(Place, SeatCall)] = []
    if place.unansweredClaims < claims.count, claims[place.unansweredClaims].start <= deadline,
      place.holding == .nothing
    {
      var next = place
      next.unansweredClaims += 1
      next.holding = .unheard
      steps.append((next, claims[place.unansweredClaims]))
    }
    if place.unansweredReleases < releases.count, releases[place.unansweredReleases].start <= deadline,
      place.holding != .nothing
    {
      var next = place
      next.unansweredReleases += 1
      next.holding = .nothing
      steps.append((next, releases[place.unansweredReleases]))
    }
    for index in open.reversed() where answered[index].start <= deadline {
      guard let holding = Self.holding(after: answered[index], place.holding) else { continue }
      var next = place
      next.holding = holding
      if case .seat(let generation) = holding, holding != place.holding {
        guard generation > place.generation else { continue }
        next.generation = generation
      }
      next.further.append(index)
      next.further.sort()
      while next.further.first == next.first {
        next.further.removeFirst()
        next.first += 1
      }
      steps.append((next, answered[index]))
    }
    return steps
  }

  /// What is held after the call, if its answer is right when this is held before it.
  private static func holding(after call: SeatCall, _ before: Holding) -> Holding? {
    switch call.answer {
    case .granted(let new): before == .nothing ? .seat(new) : nil
    case .renewed(let seat), .found(let seat?):
      before == .seat(seat) || before == .unheard ? .seat(seat) : nil
    case .refused, .found(nil): before == .nothing ? .nothing : nil
    case .released: .nothing
    case .lost: if case .renew(let seat) = call.question, before == .seat(seat) { nil } else { before }
    case .unknown: nil
    }
  }

  /// So long after its caller gave up a call may still be done: whoever waits for the lock when the connection is cut goes on
  /// waiting, for as long as a statement may take (`statement_timeout`, 4 s), and a machine has other things to do.
  private static let latestEffect: Int64 = 10_000_000_000

  /// When a seat was held, by an order that explains the answers.
  ///
  /// It is one order of several. A release that got no answer may have been done although this one needs none of it, and
  /// one that was under way when the seat was granted may have come before the grant or after it. So a hold is sure only
  /// until the first release that any order could have within it, or for as long as its generation was found, and possible
  /// until a release that any order must have within it.
  public func holds(in order: [SeatCall]) -> [Hold] {
    Self.holds(in: order).map { hold in
      let unheard = releases.filter {
        $0.start < hold.sure.upperBound && $0.left + Self.latestEffect > hold.sure.lowerBound
      }
      let heard = answered.filter { $0.question == .release && $0.end > hold.possible.lowerBound }
      var hold = hold
      // The release that ends it in this order may have come before it: then one that began later does.
      if heard.contains(where: { $0.start < hold.sure.lowerBound && $0.end == hold.possible.upperBound }) {
        let later = heard.filter { $0.start >= hold.sure.lowerBound }.map(\.end).min()
        hold.possible = hold.possible.lowerBound..<(later ?? .max)
      }
      let first = (unheard + heard).map(\.start).min() ?? .max
      hold.isSure(until: max(hold.lastFound, min(hold.sure.upperBound, first)))
      return hold
    }
  }

  private static func holds(in order: [SeatCall]) -> [Hold] {
    var holds: [Hold] = []
    var current: Hold?
    for call in order {
      switch call.answer {
      case .granted:
        current = Hold(sure: call.end..<Int64.max, possible: call.start..<Int64.max)
      case .unknown where call.question == .claim:
        // When it was done nobody knows, only by when: the first answer that finds the seat.
        current = Hold(sure: Int64.max..<Int64.max, possible: call.start..<Int64.max)
      case .renewed, .found(_?):
        current?.isFound(by: call)
      case .released, .unknown:
        guard var hold = current else { continue }
        hold.isSure(until: call.start)
        hold.possible = hold.possible.lowerBound..<call.end
        holds.append(hold)
        current = nil
      case .refused, .lost, .found(nil): continue
      }
    }
    return current.map { holds + [$0] } ?? holds
  }
}

extension SeatHistory.Hold {
  fileprivate mutating func isSure(until end: Int64) {
    sure = sure.lowerBound..<max(sure.lowerBound, end)
  }

  fileprivate mutating func isFound(by call: SeatCall) {
    sure = min(sure.lowerBound, call.end)..<sure.upperBound
    lastFound = max(lastFound, call.start)
  }
}
