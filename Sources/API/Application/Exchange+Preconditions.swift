import HTTP
import Licensing

extension Record {
  /// The entity tag of this state of the resource (RFC 9110 §8.8.3).
  var entityTag: String { "\"\(revision)\"" }
}

extension Exchange {
  /// 412 when `If-Match` is there and names another state (RFC 9110 §13.1.1).
  func requireMatch<Entity>(_ record: Record<Entity>) throws(Problem) { try requireMatch(record.entityTag) }

  /// The same for what is no record.
  func requireMatch(_ entityTag: String) throws(Problem) {
    guard let wanted = request.header(.ifMatch), wanted != "*" else { return }
    let tags = wanted.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } }
    guard tags.contains(entityTag) else {
      throw Problem(
        .preconditionFailed,
        "The resource's ETag is now \(entityTag). \(ProblemCode.preconditionFailed.entry.remedy)")
    }
  }
}
