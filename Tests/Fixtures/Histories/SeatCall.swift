/// What one identity asked about its seat, when, and what it was told.
public struct SeatCall: Sendable {
  public enum Question: Sendable, Equatable {
    case claim
    case renew(Int64)
    case release
    /// Looked up behind everyone's back.
    case look
  }
  public enum Answer: Sendable, Equatable {
    case granted(Int64)
    case renewed(Int64)
    case refused
    case lost
    case released
    /// What `look` found; nil: nothing.
    case found(Int64?)
    /// No answer: it may have been done, then or later, or never.
    case unknown
  }

  public let question: Question
  public let answer: Answer
  /// Nanoseconds; `end` of a call without an answer is never.
  public let start: Int64
  public let end: Int64
  /// When the caller had its answer, or gave up waiting.
  public let left: Int64

  public init(_ question: Question, _ answer: Answer, _ start: Int64, _ end: Int64) {
    self.question = question
    self.answer = answer
    self.start = start
    self.end = answer == .unknown ? .max : end
    left = end
  }
}
