/// What is wrong with a chain.
public enum ChainFinding: Sendable, Hashable, CustomStringConvertible {
  case missing(ClosedRange<Int64>)
  /// Its content or its place is not what was sealed.
  case altered(Int64)
  /// The last that is there, and the last that was.
  case truncated(Int64, was: Int64)
  /// A head that was kept says something else of this position: the chain was written anew.
  case rewritten(Int64)
  /// Events that were written into time that is sealed already.
  case inserted(Int64)
  /// The beginning is gone, and no event says that it was dropped because of its age.
  case beheaded(Int64)

  public var description: String {
    switch self {
    case .missing(let range) where range.count == 1: "event \(range.lowerBound) is missing"
    case .missing(let range): "events \(range.lowerBound) to \(range.upperBound) are missing"
    case .altered(let position): "event \(position) was altered, or stands in another's place"
    case .truncated(let last, let was): "the chain ends at \(last), but went to \(was)"
    case .rewritten(let position): "the chain is another one at \(position) than the head that was kept says"
    case .inserted(let count): "\(count) events stand where everything was sealed already"
    case .beheaded(let position): "events up to \(position) are gone, and no event says that they were pruned"
    }
  }
}
