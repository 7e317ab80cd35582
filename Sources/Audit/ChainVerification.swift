public import Cryptography
public import JSON
public import Licensing

/// Goes along a chain and finds what was altered, taken out, moved or cut off.
///
/// Each event is judged by the digest that is stored with it and the one before: one fault does not hide the next.
/// Whoever can write all digests anew is found by a head that was kept elsewhere.
public struct ChainVerification: Sendable {
  public private(set) var last: ChainLink
  public private(set) var findings: [ChainFinding] = []
  private let start: ChainLink
  private let heads: [ChainHead]
  private var prunedThrough: Int64 = 0

  /// - Parameter heads: those that were kept, of this chain.
  public init(from start: ChainLink, heads: [ChainHead] = []) {
    self.start = start
    self.heads = heads
    last = start
    compare()
  }

  /// The next event in the order of positions, or nil when only its seal is there.
  public mutating func read(_ event: RecordedEvent?, sealed seal: EventSeal) throws(OpenSSLError) {
    if let event, event.type == EventPruning.type { note(event.detail) }
    try read(event.flatMap { try? EventContent($0, at: seal.position) }, seal)
  }

  /// A line of an export; what is not sealed yet is passed over.
  ///
  /// - Returns: whether it is sealed.
  public mutating func read(line: JSONValue) throws(OpenSSLError) -> Bool {
    guard let content = EventContent(line: line), case .string(let text)? = line["digest"],
      let digest = SHA256Digest(hexadecimal: text)
    else { return false }
    try read(content, EventSeal(position: content.position, digest: digest.bytes))
    return true
  }

  private mutating func read(_ content: EventContent?, _ seal: EventSeal) throws(OpenSSLError) {
    let expected = last.position + 1
    guard seal.position >= expected, let stored = ChainLink(seal) else {
      findings.append(.altered(seal.position))
      return
    }
    if seal.position > expected {
      findings.append(.missing(expected...seal.position - 1))
      if content == nil { findings.append(.missing(seal.position...seal.position)) }
    } else if let content {
      if try last.next(content) != stored { findings.append(.altered(seal.position)) }
    } else {
      findings.append(.missing(seal.position...seal.position))
    }
    last = stored
    compare()
  }

  private mutating func compare() {
    if heads.contains(where: { $0.last.position == last.position && $0.last != last }) {
      findings.append(.rewritten(last.position))
    }
  }

  private mutating func note(_ detail: [UInt8]) {
    guard case .string(let text)? = (try? JSONValue(parsing: detail))?["through"], let through = Int64(text)
    else { return }
    prunedThrough = max(prunedThrough, through)
  }

  /// There are no more events.
  ///
  /// - Parameter end: what the database says is the end.
  public mutating func finish(at end: ChainLink? = nil) {
    if let end, end.position <= last.position, end != last { findings.append(.altered(end.position)) }
    let was = (heads.map(\.last.position) + [end?.position ?? 0]).max() ?? 0
    if was > last.position { findings.append(.truncated(last.position, was: was)) }
  }

  /// Whether the beginning was dropped as it should be; asked of a database, where the event that tells is at hand.
  public mutating func checkPruning() {
    if start.position > prunedThrough { findings.append(.beheaded(start.position)) }
  }
}
