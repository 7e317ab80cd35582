/// What is always true of a problem code.
public struct ProblemEntry: Sendable {
  /// The HTTP status (RFC 9110 §15).
  public let status: Int
  /// One short phrase, the same for every occurrence.
  public let title: String
  /// What has happened.
  public let meaning: String
  /// What whoever reads this should do.
  public let remedy: String

  init(_ status: Int, _ title: String, _ meaning: String, _ remedy: String) {
    self.status = status
    self.title = title
    self.meaning = meaning
    self.remedy = remedy
  }
}
